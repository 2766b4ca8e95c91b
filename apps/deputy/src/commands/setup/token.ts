import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { loadToken } from "../../token.ts";

/** `deputy token` */
export async function printToken(invocation: Invocation): Promise<ExitCode> {
  const token = loadToken(openHome(invocation.homeDirectory, invocation.warn).directory, invocation.env);
  invocation.output.result(token);
  invocation.output.object({ token });
  return EXIT.done;
}
