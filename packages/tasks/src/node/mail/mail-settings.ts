/** How a mail server is reached, and which of its mailboxes is watched. */
export interface MailSettings {
  readonly host: string;
  /** 993 with `tls`, otherwise 143, unless set. */
  readonly port?: number;
  /** `none` sends the password in the clear. */
  readonly encryption: "tls" | "starttls" | "none";
  readonly user: string;
  readonly mailbox: string;
}

/** The secret for signing in. */
export type MailSecret =
  | { readonly kind: "password"; readonly value: string }
  /** An OAuth 2 token. */
  | { readonly kind: "accessToken"; readonly value: string };
