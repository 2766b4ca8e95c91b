/**
 * What had the focus was moved, is hidden, or has gone, as an answered question takes its buttons away. Whoever uses the keyboard
 * goes on there, where something can be said, or on this page.
 */
export function keepFocus(before: Element | null): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement.id !== "main") return;
  // It was only moved. One that is hidden takes no focus.
  if (before instanceof HTMLElement && before !== document.body) focusOn(before);
  if (document.activeElement === before && before !== document.body) return;
  const box = document.querySelector<HTMLElement>("chat-composer textarea");
  // On a touch screen that would bring up a keyboard.
  if (box !== null && matchMedia("(pointer: fine)").matches) focusOn(box);
  else focusMain();
}

export function focusMain(): void {
  focusOn(document.querySelector<HTMLElement>("#main"));
}

function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
