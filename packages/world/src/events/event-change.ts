import type { AnyEventRequest, Event, EventResult, WorkflowRun } from "@workflow/world";

export type EventOf<Type extends AnyEventRequest["eventType"]> = Extract<
  AnyEventRequest,
  { eventType: Type }
>;

/** What an event does to the entities of its run, decided and written before the event is. */
export interface EventChange extends Pick<EventResult, "run" | "step" | "hook" | "wait"> {
  /** Written instead of what was asked for. */
  readonly event?: Event;
  /** The run's workflow has something new to see. */
  readonly wakes?: boolean;
}

/** The run an event belongs to, and how an event of it is made. */
export interface EventContext {
  readonly run: WorkflowRun;
  readonly at: Date;
  readonly specVersion: number;
  make(request: Record<string, unknown>): Event;
}
