import { describeBlobStore } from "./blob-store-conformance.ts";
import { createMemoryBlobStore } from "./memory-blob-store.ts";

describeBlobStore("blobs in memory", createMemoryBlobStore);
