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
  sessionStorage.removeItem(TOKEN_KEY);
  workspace.hidden = true;
  signIn.hidden = false;
  message.textContent = why;
  token.value = "";
  token.focus();
}

/** Tries the token and keeps it only if it works. */
async function enter(candidate: string): Promise<void> {
  if (!couldBeToken(candidate)) return showSignIn("That is not a token: it has characters no token has.");
  const client = createClient(candidate);
  try {
    const tasks = await client.listTasks();
    sessionStorage.setItem(TOKEN_KEY, candidate);
    signIn.hidden = true;
    workspace.hidden = false;
    openWorkspace(client, tasks, showSignIn);
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    showSignIn(
      error.status === 401
        ? "That token is not right. Run “deputy token” to see the current one."
        : error.message,
    );
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void enter(token.value.trim());
});

const kept = sessionStorage.getItem(TOKEN_KEY);
if (kept === null) showSignIn("");
else void enter(kept);
