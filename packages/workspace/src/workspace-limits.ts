/** The limits of a workspace. An import leaves larger files out; a write refuses them. */
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
