import { z } from "zod";
import { createRoutes, type DemoService, refuse, type RouteRequest } from "../demo-service.ts";
import type { DemoIssue, Tracker } from "./tracker.ts";

const commentBody = z.object({ text: z.string().min(1) });

/** The tracker over HTTP, as `trackerDocument` says. */
export function createTrackerService(tracker: Tracker): DemoService {
  const issues = ({ part }: RouteRequest, answer: (issues: readonly DemoIssue[]) => Response): Response => {
    const repository = `${part("owner")}/${part("repo")}`;
    const found = tracker.issues(repository);
    if (found.length > 0) return answer(found);
    const known = tracker.repositories().map(({ name }) => name);
    return refuse(404, `The demo tracker has no repository ${repository}; it has ${known.join(", ")}.`);
  };
  const issue = (request: RouteRequest, answer: (issue: DemoIssue) => Response): Response =>
    issues(request, (all) => {
      const found = all.find(({ number }) => String(number) === request.part("issueNumber"));
      return found === undefined
        ? refuse(404, `There is no issue ${all[0]?.repository}#${request.part("issueNumber")}`)
        : answer(found);
    });

  const one = "/repos/{owner}/{repo}/issues/{issueNumber}";
  return createRoutes("/github", [
    { method: "GET", path: "/repos", answer: () => Response.json(tracker.repositories()) },
    {
      method: "GET",
      path: "/repos/{owner}/{repo}/issues",
      answer: (request) =>
        issues(request, (all) => {
          const state = request.query.get("state") ?? "open";
          const wanted = all.filter((found) => state === "all" || found.state === state);
          return Response.json(wanted.map(summaryOf));
        }),
    },
    {
      method: "GET",
      path: one,
      answer: (request) =>
        issue(request, (found) =>
          Response.json({
            ...summaryOf(found),
            comments: found.comments.map(({ key: _key, ...comment }) => comment),
          }),
        ),
    },
    {
      method: "POST",
      path: `${one}/close`,
      answer: (request) =>
        issue(request, (found) => {
          const { query } = request;
          if (query.has("title") && query.get("title") !== found.title)
            return refuse(409, `The issue is called “${found.title}” by now`);
          const { number, title, state } = tracker.close(found);
          return Response.json({ number, title, state });
        }),
    },
    {
      method: "POST",
      path: `${one}/comments`,
      answer: (request) =>
        issue(request, (found) => {
          const body = commentBody.safeParse(request.body);
          if (!body.success) return refuse(400, "A comment has a text");
          const { key: _key, ...comment } = tracker.comment(found, body.data.text, request.key);
          return Response.json(comment, { status: 201 });
        }),
    },
  ]);
}

function summaryOf({ number, title, state, createdAt, updatedAt }: DemoIssue) {
  return { number, title, state, createdAt, updatedAt };
}
