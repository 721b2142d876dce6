/** A file attached to an unsaved comment or quote. */
export interface PendingFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly type: string;
  /** A quote's file is uploaded as soon as the user picks it. A comment's file is stored on this device, and is then `ready`. */
  readonly status: 'preparing' | 'ready' | 'waiting' | 'uploading' | 'uploaded' | 'failed';
  /** Fraction uploaded so far, from 0 to 1. */
  readonly progress: number;
  readonly problem?: string | undefined;
  /** False if the server rejected the file, or if reloading the page lost the file's contents. */
  readonly canRetry: boolean;
  readonly preview: string | null;
}

/** A file that was rejected before its upload, for example because of its size. */
export interface RejectedFile {
  readonly id: string;
  readonly name: string;
  readonly problem: string;
}
