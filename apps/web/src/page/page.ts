import { couldBeToken, createClient, RequestFailed } from "./client.ts";
import { part } from "./element.ts";
import { openWorkspace } from "./workspace.ts";

const TOKEN_KEY = "deputy.token";

const signIn = part("#sign-in", HTMLElement);
const form = part("#sign-in-form", HTMLFormElement);
const token = part("#token", HTMLInputElement);
const message = part("#sign-in-message", HTMLElement);
const workspace = part("#workspace", HTMLElement);

function showSignIn(why: string): void {
  workspace.hidden = true;
  signIn.hidden = false;
  message.textContent = why;
  token.value = "";
  token.focus();
}

function signOut(why: string): void {
  sessionStorage.removeItem(TOKEN_KEY);
  showSignIn(why);
}

/** Tries the token and keeps it if it works. A kept token is dropped when the daemon refuses it, not when the daemon is unreachable. */
async function enter(candidate: string): Promise<void> {
  if (!couldBeToken(candidate))
    return showSignIn("This is not a token: it contains characters that tokens never have.");
  const client = createClient(candidate);
  try {
    const tasks = await client.listTasks();
    sessionStorage.setItem(TOKEN_KEY, candidate);
    signIn.hidden = true;
    workspace.hidden = false;
    openWorkspace(client, tasks, signOut);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    if (error.status === 401) signOut("This token is wrong. Run “deputy token” to see the current one.");
    else showSignIn(error.message);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void enter(token.value.trim());
});

const kept = sessionStorage.getItem(TOKEN_KEY);
if (kept === null) showSignIn("");
else void enter(kept);
