import { createContext, type ReactElement } from "react";
import createReconciler from "react-reconciler";
import { DefaultEventPriority, NoEventPriority } from "react-reconciler/constants.js";

/** What an element becomes: one of Discord's components. */
interface Node {
  readonly type: string;
  props: Props;
  readonly children: Child[];
}
type Child = Node | { text: string };
type Props = Readonly<Record<string, unknown>>;
interface Root {
  children: Child[];
}

/** Discord's components, as its API takes them. */
export type Components = readonly object[];

/** The React element as Discord's components. Renders at once, and keeps nothing. Throws what a view throws. */
export function renderComponents(element: ReactElement): Components {
  const root: Root = { children: [] };
  const failures: unknown[] = [];
  const fail = (error: unknown): void => void failures.push(error);
  const container = host.createContainer(
    root,
    LEGACY,
    null,
    false,
    null,
    "",
    fail,
    fail,
    fail,
    nothing,
    null,
  );
  host.updateContainerSync(element, container, null, null);
  host.flushSyncWork();
  const components = root.children.map(componentOf);
  host.updateContainerSync(null, container, null, null);
  host.flushSyncWork();
  if (failures.length > 0) throw failures[0];
  return components;
}

const LEGACY = 0;
const STYLES = { primary: 1, secondary: 2, success: 3, danger: 4 } as const;

function componentOf(child: Child): object {
  if ("text" in child) throw new Error("Text must be inside of a text, a button or a label");
  const { type, props, children } = child;
  const id = props["id"] === undefined ? {} : { id: props["id"] };
  switch (type) {
    case "d-container":
      return { type: 17, ...id, accent_color: props["color"], components: children.map(componentOf) };
    case "d-text":
      return { type: 10, ...id, content: textIn(child) };
    case "d-row":
      return { type: 1, ...id, components: children.map(componentOf) };
    case "d-button": {
      const style = STYLES[props["look"] as keyof typeof STYLES];
      return { type: 2, ...id, style, label: textIn(child), custom_id: props["customId"] };
    }
    case "d-picture":
      return { type: 12, ...id, items: [{ media: { url: props["url"] } }] };
    case "d-file":
      return { type: 13, ...id, file: { url: props["url"] } };
    case "d-label":
      return { type: 18, ...id, label: props["text"], component: children.map(componentOf)[0] };
    case "d-input":
      return {
        type: 4,
        ...id,
        custom_id: props["customId"],
        style: 2,
        required: false,
        max_length: props["maxLength"],
      };
    default:
      throw new Error(`Discord has no component for ${type}`);
  }
}

function textIn(child: Child): string {
  return "text" in child ? child.text : child.children.map(textIn).join("");
}

let priority: number = NoEventPriority;
const nothing = (): void => undefined;
const none = (): null => null;
const no = (): boolean => false;

function append(parent: { children: Child[] }, child: Child): void {
  remove(parent, child);
  parent.children.push(child);
}

function insert(parent: { children: Child[] }, child: Child, before: Child): void {
  remove(parent, child);
  parent.children.splice(parent.children.indexOf(before), 0, child);
}

function remove({ children }: { children: Child[] }, child: Child): void {
  const at = children.indexOf(child);
  if (at >= 0) children.splice(at, 1);
}

/** React, with Discord's components in place of a page's elements. */
const host = createReconciler({
  rendererVersion: "1",
  rendererPackageName: "@deputy/adapter-discord",
  extraDevToolsConfig: null,
  bindToConsole: () => nothing,
  isPrimaryRenderer: false,
  supportsMutation: true,
  supportsPersistence: false,
  supportsHydration: false,
  supportsMicrotasks: true,
  scheduleMicrotask: queueMicrotask,
  scheduleTimeout: setTimeout,
  cancelTimeout: clearTimeout,
  noTimeout: -1,
  getRootHostContext: () => ({}),
  getChildHostContext: (context: object) => context,
  getPublicInstance: (instance: Child) => instance,
  shouldSetTextContent: no,
  createInstance: (type: string, props: Props): Node => ({ type, props, children: [] }),
  createTextInstance: (text: string) => ({ text }),
  appendInitialChild: append,
  appendChild: append,
  appendChildToContainer: append,
  insertBefore: insert,
  insertInContainerBefore: insert,
  removeChild: remove,
  removeChildFromContainer: remove,
  clearContainer: (root: Root) => void (root.children = []),
  finalizeInitialChildren: no,
  commitUpdate: (node: Node, _type: string, _before: Props, props: Props) => void (node.props = props),
  commitTextUpdate: (child: { text: string }, _before: string, text: string) => void (child.text = text),
  commitMount: nothing,
  resetTextContent: nothing,
  hideInstance: nothing,
  unhideInstance: nothing,
  hideTextInstance: nothing,
  unhideTextInstance: nothing,
  prepareForCommit: none,
  resetAfterCommit: nothing,
  preparePortalMount: nothing,
  detachDeletedInstance: nothing,
  getInstanceFromNode: none,
  beforeActiveInstanceBlur: nothing,
  afterActiveInstanceBlur: nothing,
  prepareScopeUpdate: nothing,
  getInstanceFromScope: none,
  setCurrentUpdatePriority: (next: number) => void (priority = next),
  getCurrentUpdatePriority: () => priority,
  resolveUpdatePriority: () => (priority === NoEventPriority ? DefaultEventPriority : priority),
  resolveEventType: none,
  resolveEventTimeStamp: () => -1.1,
  shouldAttemptEagerTransition: no,
  trackSchedulerEvent: nothing,
  requestPostPaintCallback: nothing,
  maySuspendCommit: no,
  maySuspendCommitOnUpdate: no,
  maySuspendCommitInSyncRender: no,
  suspendOnActiveViewTransition: nothing,
  getSuspendedCommitReason: none,
  preloadInstance: () => true,
  startSuspendingCommit: nothing,
  suspendInstance: nothing,
  waitForCommitToBeReady: none,
  NotPendingTransition: null,
  HostTransitionContext: createContext(null) as never,
  resetFormInstance: nothing,
});
