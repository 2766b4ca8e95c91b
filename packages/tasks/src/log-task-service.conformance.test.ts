import { describeTaskService } from "@deputy/testing";
import { createLogTaskService } from "./log-task-service.ts";

describeTaskService("tasks over the log", ({ log, ids, work, signal }) =>
  createLogTaskService({ log, ids, work, signal, onBug: () => undefined }),
);
