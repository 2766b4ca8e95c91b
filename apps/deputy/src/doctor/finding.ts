/** The result of one check. `advice`: it works, but could be better; `wrong`: something will not work. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "advice" | "wrong";
  readonly message: string;
  /** What to do about it; always present unless the check is ok. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: "ok", message });
export const advise = (check: string, message: string, fix: string): Finding => ({
  check,
  status: "advice",
  message,
  fix,
});
export const wrong = (check: string, message: string, fix: string): Finding => ({
  check,
  status: "wrong",
  message,
  fix,
});
