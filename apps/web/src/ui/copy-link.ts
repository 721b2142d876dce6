import { toast } from './toast.ts';

const TOAST_OPTIONS = { subject: 'copy-link' };

/** Copies the link. If the browser blocks copying, a toast asks the user to copy it by hand from `linkLocation`. */
export async function copyLink(link: string, linkLocation: 'below' | 'in the message'): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast.success('Link copied', TOAST_OPTIONS);
  } catch {
    toast.error(`Your browser blocked copying. Select the link ${linkLocation} and copy it yourself.`, TOAST_OPTIONS);
  }
}
