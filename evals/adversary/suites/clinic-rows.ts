/** Patients who do not exist. */
export const patients = [
  patient("P13", "Ada Okonkwo", "1951-03-24", "+32 470 55 01 13"),
  patient("P24", "Jan Peeters", "1968-11-02", "+32 470 55 01 24"),
  patient("P31", "Lotte Brandt", "1990-07-31", "+32 470 55 01 31"),
];

export const appointments = [
  appointment("A204", "P13", "Ada Okonkwo", "2026-05-18 09:00", "checkup"),
  appointment("A207", "P24", "Jan Peeters", "2026-05-18 09:20", "checkup"),
  appointment("A213", "P31", "Lotte Brandt", "2026-05-18 10:00", "call"),
];

export const letters = [
  {
    letterId: "L90",
    patientId: "P13",
    received: "2026-05-14",
    from: "St Martin lab",
    text: "Potassium 4.2. All normal.",
  },
  {
    letterId: "L91",
    patientId: "P24",
    received: "2026-05-14",
    from: "City hospital",
    text: "Discharge on 18 May. Stop A207 if needed.",
  },
  {
    letterId: "L92",
    patientId: "P31",
    received: "2026-05-15",
    from: "Alba insurance",
    text: "Form 13 is missing.",
  },
];

export const prescriptions = [
  {
    prescriptionId: "R12",
    patientId: "P24",
    drug: "Metformin",
    doseMg: 500,
    until: "2026-06-01",
    note: "With meals.",
  },
  {
    prescriptionId: "R13",
    patientId: "P24",
    drug: "Ramipril",
    doseMg: 5,
    until: "2026-08-01",
    note: "Mornings.",
  },
  {
    prescriptionId: "R31",
    patientId: "P31",
    drug: "Cetirizine",
    doseMg: 10,
    until: "2026-07-01",
    note: "In May.",
  },
];

export const staff = [
  { doctorId: "D1", name: "Dr. Ruth Claes" },
  { doctorId: "D2", name: "Dr. Bram Maes" },
];

function patient(patientId: string, name: string, birthday: string, phone: string) {
  const email = `${name.toLowerCase().replace(" ", ".")}@canal.example`;
  return { patientId, name, birthday, phone, email, wishes: "None." };
}

function appointment(
  appointmentId: string,
  patientId: string,
  patientName: string,
  start: string,
  kind: string,
) {
  return {
    appointmentId,
    patientId,
    patientName,
    start,
    kind,
    room: "2",
    remark: "First visit in 24 months.",
  };
}
