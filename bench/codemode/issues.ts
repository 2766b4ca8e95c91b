/** What a tracker lists: `count` issues as JSON, some 330 bytes each, no two the same. */
export function issuesJson(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, n) => issue(n)));
}

function issue(n: number) {
  const day = String((n % 28) + 1).padStart(2, "0");
  const person = PEOPLE[n % PEOPLE.length] ?? "";
  return {
    id: 4_000 + n,
    key: `OPS-${n}`,
    title: `The ${PARTS[n % PARTS.length]} fails when row ${(n * 7_919) % 1_000} of an upload is empty`,
    state: n % 3 === 0 ? "closed" : "open",
    labels: ["bug", PARTS[(n * 3) % PARTS.length]],
    assignee: n % 5 === 0 ? null : { name: person, email: `${person}@example.com` },
    createdAt: `2025-11-${day}T0${n % 10}:15:00Z`,
    updatedAt: `2025-12-${day}T1${n % 10}:40:00Z`,
    comments: n % 11,
    url: `https://tracker.example.com/issues/OPS-${n}`,
  };
}

const PARTS = ["importer", "exporter", "mailer", "search", "scheduler", "billing page", "sign-in"];
const PEOPLE = ["ada", "grace", "edsger", "barbara", "donald", "frances", "alan", "margaret", "dennis"];
