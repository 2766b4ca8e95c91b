/** What a workspace takes in; a larger file is left out of an import, and refused in a write. */
export interface WorkspaceLimits {
  readonly fileBytes: number;
  readonly files: number;
  readonly totalBytes: number;
}

export const DEFAULT_WORKSPACE_LIMITS: WorkspaceLimits = {
  fileBytes: 16 * 1024 * 1024,
  files: 50_000,
  totalBytes: 1024 * 1024 * 1024,
};
