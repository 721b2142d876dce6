/** A file of something that is not saved yet, such as a comment or a quote. Its upload starts as soon as it is chosen. */
export interface PendingFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly status: 'waiting' | 'uploading' | 'uploaded' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly problem?: string | undefined;
  readonly isOffline?: boolean;
  /** A refusal by the server would be the same next time, and after a reload the bytes are gone. */
  readonly canRetry: boolean;
  /** The URL of a picture of it. */
  readonly preview: string | null;
}

/** A file that was not taken at all. */
export interface RefusedFile {
  readonly id: string;
  readonly name: string;
  readonly problem: string;
}
