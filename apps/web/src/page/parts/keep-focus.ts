/** What had the focus may be gone: whoever uses the keyboard goes on where something can be said, or on this page. */
export function keepFocus(): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement.id !== "main") return;
  const box = document.querySelector<HTMLElement>("chat-composer textarea");
  // On a touch screen that would bring up a keyboard.
  if (box !== null && matchMedia("(pointer: fine)").matches) box.focus({ preventScroll: true });
  else focusMain();
}

export function focusMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}
