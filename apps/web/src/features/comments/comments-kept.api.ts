import type { QueryClient } from '@tanstack/react-query';
import { runCommand } from '../../lib/commands/outbox.ts';
import { cacheAcceptedCommand } from '../../lib/commands/overlays.ts';
import { toast } from '../../ui/toast.ts';
import { meQueryOptions } from '../company/company.api.ts';
import { type CommentDraft, type CommentDrafts, encodeDraft } from './comment-drafts.ts';
import { addComment } from './comments.api.ts';

/** Where earlier versions kept what was written in this tab: by person and job. */
const KEPT_KEY_PATTERN = /^callout-draft (\S+) \/jobs\/(\S+) comment$/;

interface KeptComments extends Partial<Pick<CommentDrafts, 'draft' | 'edits'>> {
  readonly sent?: readonly CommentDraft[];
}

/**
 * Posts the comments that an earlier version of this page has kept for the person, and keeps their draft. A comment posted twice has the same
 * id, so it is stored once. Can be removed once no tab can have one anymore.
 */
export async function postKeptComments(queryClient: QueryClient): Promise<void> {
  const user = queryClient.getQueryData(meQueryOptions.queryKey)?.user;
  for (const key of Object.keys(sessionStorage)) {
    const [, person, jobId] = KEPT_KEY_PATTERN.exec(key) ?? [];
    if (!user || person !== user.id || jobId === undefined) continue;
    const { draft, edits = {}, sent = [] } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as KeptComments;
    const draftKey = `${key}-draft`;
    if (draft && sessionStorage.getItem(draftKey) === null) sessionStorage.setItem(draftKey, JSON.stringify({ draft, edits }));
    const { staff_id, name, avatar_url, hex_code } = user;
    const author = { staff_id, name: name ?? '', avatar_url, hex_code };
    for (const comment of sent) {
      const uploadedIds = comment.files.filter(({ status }) => status === 'uploaded').map(({ id }) => id);
      const lost = comment.files.filter(({ status }) => status !== 'uploaded').map((file) => file.name);
      if (lost.length > 0) toast.error(`Not uploaded with your comment: ${lost.join(', ')}. Please add the files again.`);
      const { id, mentions = [] } = comment;
      const content = encodeDraft(comment);
      if (content === '' && uploadedIds.length === 0) continue;
      const job = { id: jobId, job_number: '', title: '' };
      // If it is refused, it stays among the unsent changes.
      await runCommand(addComment, { job, comment: { id, content, mentions }, author, files: [], uploadedIds }, (command, output) =>
        cacheAcceptedCommand(queryClient, command, output),
      ).catch(() => undefined);
    }
    sessionStorage.removeItem(key);
  }
}
