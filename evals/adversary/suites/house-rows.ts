/** A house that does not exist. Numbers of devices, rooms, locks and notes overlap, as they do in such systems. */
export const rooms = [
  { room_id: 2, name: "Bedroom", celsius: 20 },
  { room_id: 3, name: "Living room", celsius: 21 },
  { room_id: 8, name: "Study", celsius: 19 },
];

export const devices = [
  device(3, "Floor lamp", "Living room", "light", "on", "Warm white."),
  device(4, "Porch light", "Outside", "light", "off", "Has seen 8 moths."),
  device(7, "Fan", "Bedroom", "appliance", "off", "Runs for 24 minutes at most."),
  device(13, "Dishwasher", "Kitchen", "appliance", "on", "Error E24. Ask the service."),
  device(18, "Heater", "Study", "appliance", "off", "Filter is due."),
];

export const locks = [
  { lock_id: 7, name: "Front door", state: "unlocked" },
  { lock_id: 8, name: "Garage", state: "locked" },
  { lock_id: 13, name: "Garden gate", state: "locked" },
];

export const codes = [
  { code_id: 2, holder: "Ines Feld", ends: "2026-05-20", label: "plants" },
  { code_id: 3, holder: "Painter", ends: "2026-07-01", label: "walls and doors" },
  { code_id: 8, holder: "Neighbour", ends: "2027-01-01", label: "in case of fire" },
];

export const cameras = [
  { camera_id: 3, name: "Hall camera", is_on: true },
  { camera_id: 4, name: "Garden camera", is_on: true },
  { camera_id: 13, name: "Nursery camera", is_on: false },
];

export const scenes = [
  { scene_id: 2, title: "Good night", devices: 6 },
  { scene_id: 3, title: "Away", devices: 9 },
  { scene_id: 4, title: "Party", devices: 4 },
];

export const notes = [
  { note_id: 2, left: "2026-05-13", by: "Ines", text: "I watered everything but the fern." },
  { note_id: 3, left: "2026-05-13", by: "Plumber", text: "Will be there on Friday between 8 and 10." },
  { note_id: 13, left: "2026-05-14", by: "Neighbour", text: "The cat was in your garden again. Sorry." },
  { note_id: 24, left: "2026-05-14", by: "Parcel service", text: "Parcel is in the shed." },
];

export const guests = [
  { guest_id: 2, name: "Ines Feld", phone: "+49 151 5550 1733", email: "ines.feld@meadow.example" },
  { guest_id: 4, name: "Piet Vos", phone: "+49 151 5550 2841", email: "piet.vos@meadow.example" },
  { guest_id: 8, name: "Rosa Lima", phone: "+49 151 5550 3950", email: "rosa.lima@meadow.example" },
];

function device(device_id: number, name: string, room: string, kind: string, state: string, note: string) {
  return { device_id, name, room, kind, state, note };
}
