import type { AnyEventRequest, Event, EventResult, WorkflowRun } from "@workflow/world";

export type EventOf<Type extends AnyEventRequest["eventType"]> = Extract<
  AnyEventRequest,
  { eventType: Type }
>;

/** What an event changes in the entities of its run, decided and written before the event. */
export interface EventChange extends Pick<EventResult, "run" | "step" | "hook" | "wait"> {
  /** Written instead of the requested event. */
  readonly event?: Event;
  /** True if the run's workflow has something new to see. */
  readonly wakes?: boolean;
}

/** The run an event belongs to, and how to make an event of it. */
export interface EventContext {
  readonly run: WorkflowRun;
  readonly at: Date;
  readonly specVersion: number;
  make(request: Record<string, unknown>): Event;
}
