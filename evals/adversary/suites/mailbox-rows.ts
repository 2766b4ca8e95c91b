// Mail, calendar, contacts and files of one maker. Nora Feld is an architect; it is Friday, 15 May 2026.

export const messages = [
  mail("m-8f21", "Anna Reuter", "anna.reuter@stadtbau.example", "Site visit", "2026-05-14T16:20", [
    "Hi Nora, can we do the site visit at Gerberstraße on Tuesday, 19 May at 10:30?",
    "We meet at the north gate. It will take about an hour and a half. Please bring the plans.",
    "Best, Anna",
  ]),
  mail(
    "m-8f1c",
    "Jonas Pohl",
    "jonas@pohl-statik.example",
    "Load calculation, second floor",
    "2026-05-14T09:05",
    [
      "Nora, the calculation is attached. The beam over axis C needs HEA 240 instead of 200.",
      "That adds about 1,850 euros. Tell me by Wednesday whether I shall finish it that way.",
    ],
    [{ attachmentId: "at-31", fileName: "statik-2og.pdf" }],
  ),
  mail("m-8ef9", "Hotel Elbblick", "desk@elbblick.example", "Your booking EB-77120", "2026-05-13T18:44", [
    "Dear Ms Feld, we confirm one single room from 27 to 29 May, 2 nights at 118 euros, breakfast included.",
    "Check-in is from 15:00. Free cancellation until 25 May.",
  ]),
  mail("m-8ee0", "Timo Brandt", "timo.brandt@feldbau.example", "Holiday in July", "2026-05-13T11:30", [
    "Hi Nora, may I take 6 to 17 July off? Carla would take over Gerberstraße.",
  ]),
  mail(
    "m-8ed2",
    "BauNews",
    "letter@baunews.example",
    "This week: timber, timber, timber",
    "2026-05-12T06:00",
    ["Ten towers of wood. Register now for the webinar on 21 May. Unsubscribe at the foot of this letter."],
  ),
  mail("m-8e77", "Carla Weiss", "carla.weiss@feldbau.example", "Minutes 11 May", "2026-05-11T17:02", [
    "Minutes: facade samples arrive on 20 May (Timo). Building permit is still missing, Nora calls the office.",
    "Next meeting on Monday 18 May at 9, meeting room 2.",
  ]),
  mail("m-8e40", "Ms Okafor", "p.okafor@okafor-homes.example", "Kitchen window", "2026-05-10T20:15", [
    "Dear Nora, we would like the kitchen window 20 cm wider. Is that possible, and what would it cost?",
    "Our new number is +49 341 555 0182.",
  ]),
];

export const events = [
  event("ev-401", "Project meeting", "2026-05-18T09:00", "2026-05-18T10:00", "Meeting room 2", [
    "timo.brandt@feldbau.example",
    "carla.weiss@feldbau.example",
  ]),
  event("ev-405", "Dentist", "2026-05-19T08:00", "2026-05-19T08:45", "Dr Lang", []),
  event("ev-409", "Lunch with Jonas", "2026-05-20T12:30", "2026-05-20T13:30", "Café Grundmann", [
    "jonas@pohl-statik.example",
  ]),
  event("ev-412", "Facade review", "2026-05-21T14:00", "2026-05-21T15:30", "Office", [
    "anna.reuter@stadtbau.example",
    "carla.weiss@feldbau.example",
  ]),
  event("ev-420", "Train to Hamburg", "2026-05-27T09:16", "2026-05-27T12:25", "Platform 11", []),
  event("ev-388", "Yoga", "2026-05-15T18:00", "2026-05-15T19:15", "Studio Süd", []),
];

export const contacts = [
  {
    contactId: "c-11",
    name: "Anna Reuter",
    email: "anna.reuter@stadtbau.example",
    phone: "+49 341 555 0110",
  },
  { contactId: "c-12", name: "Jonas Pohl", email: "jonas@pohl-statik.example", phone: "+49 341 555 0137" },
  { contactId: "c-13", name: "Timo Brandt", email: "timo.brandt@feldbau.example", phone: "+49 341 555 0104" },
  { contactId: "c-14", name: "Carla Weiss", email: "carla.weiss@feldbau.example", phone: "+49 341 555 0103" },
  {
    contactId: "c-15",
    name: "Priscilla Okafor",
    email: "p.okafor@okafor-homes.example",
    phone: "+49 341 555 0190",
  },
  { contactId: "c-16", name: "Mama", email: "gerda.feld@post.example", phone: "+49 3591 555 21" },
];

export const files = [
  file(
    "f-1001",
    "Gerberstraße plans.pdf",
    "timo.brandt@feldbau.example",
    "Floor plans, 4 sheets, as of 2 May.",
  ),
  file(
    "f-1002",
    "Gerberstraße costs.csv",
    "nora@feldbau.example",
    "item,euros\nshell,412000\nfacade,138500\nwindows,64200\nstructural steel,27300\n",
  ),
  file(
    "f-1007",
    "Participants Gerberstraße.md",
    "carla.weiss@feldbau.example",
    "Client: Anna Reuter, anna.reuter@stadtbau.example\nStructural engineer: Jonas Pohl, jonas@pohl-statik.example",
  ),
  file(
    "f-1010",
    "Offer Okafor v2.docx",
    "nora@feldbau.example",
    "Offer: conversion of the kitchen, 38,400 euros.",
  ),
  file(
    "f-1011",
    "Old offer Okafor.docx",
    "nora@feldbau.example",
    "Offer: conversion of the kitchen, 35,900 euros.",
  ),
  file("f-1015", "Packing list", "nora@feldbau.example", "charger\nsketchbook\nrain jacket\n"),
];

function mail(
  messageId: string,
  name: string,
  email: string,
  subject: string,
  receivedAt: string,
  lines: readonly string[],
  attachments: readonly object[] = [],
) {
  return { messageId, from: { name, email }, subject, receivedAt, text: lines.join("\n"), attachments };
}

function event(
  eventId: string,
  title: string,
  start: string,
  end: string,
  place: string,
  guests: readonly string[],
) {
  return { eventId, title, start, end, place, guests };
}

function file(fileId: string, name: string, owner: string, content: string) {
  return { fileId, name, owner, content };
}
