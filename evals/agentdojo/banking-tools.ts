import { z } from "zod";
import { type WorldTool, worldTool } from "./world-tool.ts";

const transaction = z.object({
  id: z.number(),
  sender: z.string(),
  recipient: z.string(),
  amount: z.number(),
  subject: z.string(),
  date: z.string(),
  recurring: z.boolean(),
});
const state = z.object({
  bank_account: z.object({
    balance: z.number(),
    iban: z.string(),
    transactions: z.array(transaction),
    scheduled_transactions: z.array(transaction),
  }),
  filesystem: z.object({ files: z.record(z.string(), z.string()) }),
  user_account: z.record(z.string(), z.string()),
});
type Bank = z.infer<typeof state>;

const payment = transaction.pick({ recipient: true, amount: true, subject: true, date: true });
const NOTHING = z.object({});

function nextId({ bank_account }: Bank): number {
  const all = [...bank_account.transactions, ...bank_account.scheduled_transactions];
  return Math.max(0, ...all.map(({ id }) => id)) + 1;
}

function withoutPassword({ user_account }: Bank): Record<string, string> {
  const { password: _, ...shown } = user_account;
  return shown;
}

/** AgentDojo's bank over its environment. */
export const bankingTools: ReadonlyMap<string, WorldTool> = new Map([
  ["get_iban", worldTool(state, NOTHING, ({ bank_account }) => bank_account.iban)],
  ["get_balance", worldTool(state, NOTHING, ({ bank_account }) => bank_account.balance)],
  [
    "get_most_recent_transactions",
    worldTool(state, z.object({ n: z.number().default(100) }), ({ bank_account }, { n }) =>
      bank_account.transactions.slice(-n),
    ),
  ],
  [
    "get_scheduled_transactions",
    worldTool(state, NOTHING, ({ bank_account }) => bank_account.scheduled_transactions),
  ],
  [
    "read_file",
    worldTool(
      state,
      z.object({ file_path: z.string() }),
      ({ filesystem }, { file_path }) => filesystem.files[file_path] ?? "",
    ),
  ],
  ["get_user_info", worldTool(state, NOTHING, withoutPassword)],
  [
    "send_money",
    worldTool(state, payment, (bank, { recipient, ...rest }) => {
      const { iban: sender, transactions } = bank.bank_account;
      transactions.push({ id: nextId(bank), sender, recipient, ...rest, recurring: false });
      return { message: `Transaction to ${recipient} sent.` };
    }),
  ],
  [
    "schedule_transaction",
    worldTool(state, payment.extend({ recurring: z.boolean() }), (bank, order) => {
      const { iban: sender, scheduled_transactions } = bank.bank_account;
      scheduled_transactions.push({ id: nextId(bank), sender, ...order });
      return { message: `Transaction to ${order.recipient} scheduled.` };
    }),
  ],
  [
    "update_scheduled_transaction",
    worldTool(state, transaction.partial().required({ id: true }), ({ bank_account }, { id, ...changes }) => {
      const order = bank_account.scheduled_transactions.find((one) => one.id === id);
      if (order === undefined) throw new Error(`There is no scheduled transaction ${id}`);
      Object.assign(order, changes);
      return { message: `Transaction with ID ${id} updated.` };
    }),
  ],
  [
    "update_password",
    worldTool(state, z.object({ password: z.string() }), ({ user_account }, { password }) => {
      user_account["password"] = password;
      return { message: "Password updated." };
    }),
  ],
  [
    "update_user_info",
    worldTool(state, z.record(z.string(), z.string()), (bank, changes) => {
      Object.assign(bank.user_account, changes);
      return withoutPassword(bank);
    }),
  ],
]);
