import { toast } from '../ui/toast.ts';
import { centralMessage, isSignedOut } from './error-messages.ts';

/**
 * The toast of a failed save, with the text the spec has for it. An ended session is reported where it is noticed,
 * so that one failure never makes two toasts.
 */
export function reportFailure(error: unknown, text: string): void {
  if (!isSignedOut(error)) toast.error(text);
}

/** The toast of a failed read. Several reads that fail for one reason say it once. */
export function reportReadFailure(error: unknown): void {
  if (isSignedOut(error)) return;
  const text = centralMessage(error);
  toast.error(text, { id: text });
}
