import { type BlobStore, BlobStoreError, storedBlobSchema } from "@deputy/protocol";
import { GatewayError } from "../gateway-error.ts";
import { created, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

/** Uploads and downloads attachments: bytes by their hash. Names and types come from those who refer to them. */
export function blobsRoutes({ blobs }: { readonly blobs: BlobStore }): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/api/blobs",
      auth: "bearer",
      takes: "bytes",
      doc: {
        summary: "Keep an attachment; the same bytes always have the same id",
        body: "bytes",
        answers: { 201: json(storedBlobSchema) },
      },
      handle: async ({ bytes, ends }) => {
        try {
          return created(await blobs.put(bytes, ends()));
        } catch (error) {
          if (!(error instanceof BlobStoreError) || error.code !== "blob_too_large") throw error;
          // The rest of the body is not read.
          const headers = { connection: "close" };
          throw new GatewayError("body_too_large", error.message, { cause: error, headers });
        }
      },
    },
    {
      method: "GET",
      path: "/api/blobs/:id",
      auth: "bearer",
      doc: {
        summary: "An attachment, to be saved",
        answers: { 200: [{ kind: "file", contentType: "application/octet-stream" }] },
      },
      handle: async ({ params }) => {
        const blob = await blobs.open(params["id"] ?? "");
        if (blob === undefined) throw new GatewayError("not_found", "There is no such attachment");
        return { kind: "download", size: blob.size, chunks: blob.chunks };
      },
    },
  ];
}
