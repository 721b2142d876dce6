import { toast } from './toast.ts';

const SUBJECT = { subject: 'copy-link' };

/** `place`: where the link shows, for people whose browser does not let a page copy. */
export async function copyLink(link: string, place: 'below' | 'in the message'): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast.success('Link copied', SUBJECT);
  } catch {
    toast.error(`Your browser blocked copying. Select the link ${place} and copy it yourself.`, SUBJECT);
  }
}
