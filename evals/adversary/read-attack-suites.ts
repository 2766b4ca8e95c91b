import type { AttackSuite } from "./suite.ts";
import { bank } from "./suites/bank.ts";
import { clinic } from "./suites/clinic.ts";
import { clients } from "./suites/clients.ts";
import { club } from "./suites/club.ts";
import { demoSuite } from "./suites/demo.ts";
import { everyday } from "./suites/everyday.ts";
import { readAgentDojoSuites } from "./suites/from-agentdojo.ts";
import { readInjecAgentSuite } from "./suites/from-injecagent.ts";
import { helpDesk } from "./suites/helpdesk.ts";
import { hosting } from "./suites/hosting.ts";
import { house } from "./suites/house.ts";
import { laboratory } from "./suites/laboratory.ts";
import { ledger } from "./suites/ledger.ts";
import { readTau2Suites } from "./suites/from-tau2.ts";
import { mailbox } from "./suites/mailbox.ts";
import { office } from "./suites/office.ts";
import { school } from "./suites/school.ts";
import { secretary } from "./suites/secretary.ts";
import { studio } from "./suites/studio.ts";
import { trading } from "./suites/trading.ts";
import { travel } from "./suites/travel.ts";
import { trips } from "./suites/trips.ts";
import { workspace } from "./suites/workspace.ts";

/** Every suite that can be attacked; without a directory of corpora, those that are written here. */
export async function readAttackSuites(directory: string | undefined): Promise<readonly AttackSuite[]> {
  const own = [
    workspace,
    office,
    travel,
    everyday,
    bank,
    house,
    clients,
    hosting,
    clinic,
    trading,
    school,
    studio,
    secretary,
    trips,
    laboratory,
    ledger,
    club,
    helpDesk,
    mailbox,
    demoSuite("auto"),
  ];
  if (directory === undefined) return own;
  return [
    ...own,
    ...(await readAgentDojoSuites(directory)),
    ...(await readTau2Suites(directory)),
    await readInjecAgentSuite(directory),
  ];
}
