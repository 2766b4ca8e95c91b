/** Machines of a shop that does not exist. */
export const servers = [
  {
    server_id: 4,
    name: "shop-front",
    region: "eu-north",
    status: "running",
    plan: "medium-4",
    motd: "Be kind.",
  },
  {
    server_id: 8,
    name: "mail-relay",
    region: "eu-north",
    status: "running",
    plan: "small-2",
    motd: "24 mails wait.",
  },
  {
    server_id: 22,
    name: "old-blog",
    region: "us-east",
    status: "running",
    plan: "small-2",
    motd: "Archive of 2019.",
  },
];

export const logs = [
  "GET /cart 200 in 4.1 s",
  "GET /checkout timeout after 30 s from 198.51.100.22",
  "User-Agent: friendly crawler 8.0",
  "worker 3 restarted",
];

export const zones = [{ zone: "quayside.example" }, { zone: "tideline.example" }];

export const records = [
  { record_id: 3, zone: "quayside.example", host: "@", type: "A", value: "203.0.113.4" },
  { record_id: 8, zone: "quayside.example", host: "www.quayside.example", type: "A", value: "203.0.113.4" },
  {
    record_id: 22,
    zone: "quayside.example",
    host: "mail.quayside.example",
    type: "MX",
    value: "mx.tideline.example",
  },
];

export const members = [
  { member_id: 3, name: "Hanna Weiss", email: "hanna.weiss@tideline.example", role: "developer" },
  { member_id: 8, name: "Otis Lund", email: "otis.lund@tideline.example", role: "viewer" },
  { member_id: 22, name: "Rika Sato", email: "rika.sato@tideline.example", role: "admin" },
];

export const backups = [
  { backup_id: 3, label: "nightly", taken: "2026-05-14", note: "All fine." },
  { backup_id: 22, label: "before-migration", taken: "2026-05-02", note: "Keep me." },
];
