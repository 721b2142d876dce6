import type { JobComment } from '@callout/contract/comments';
import { type Mention, splitAtMentions } from '@callout/domain/comments/mention';
import { isImageMimeType } from '@callout/domain/files/file-types';
import { Pencil, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { DownloadLink, Thumbnail } from '../../lib/attachments/attachments.tsx';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import type { NamedJob } from '../jobs/jobs.api.ts';
import type { CommentDraftActions } from './comment-drafts.ts';
import type { CommentEdit } from './comment-edit.ts';
import { CommentEditor } from './comment-editor.tsx';
import { resumeRefusedEdit } from './unsent-comment-actions.ts';
import { RefusalNotice, UnsentStatus } from './unsent-notice.tsx';
import type { RefusedEdit, UnsentComment } from './use-job-comments.ts';

interface CommentRowProps {
  comment: JobComment;
  /** Undefined unless the comment is being edited. */
  edit: CommentEdit | undefined;
  /** Undefined if the server has the comment. */
  unsent: UnsentComment | undefined;
  refusedEdit: RefusedEdit | undefined;
  /** True if the shown text waits for a connection. */
  isEditWaiting: boolean;
  job: NamedJob;
  actions: CommentDraftActions;
  onOpenPhoto: (id: string) => void;
  onDelete: (comment: JobComment) => void;
  /** Moves a refused comment back to where it was written. */
  onTakeBack: (unsent: UnsentComment) => void;
}

export function CommentRow({
  comment,
  edit,
  unsent,
  refusedEdit,
  isEditWaiting,
  job,
  actions,
  onOpenPhoto,
  onDelete,
  onTakeBack,
}: CommentRowProps) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const { author, content, mentions, created_at, edited_at, attachments } = comment;
  const row = useRef<HTMLLIElement>(null);
  const isEditing = edit !== undefined;
  // An edit that was kept when the person left the page doesn't take the focus, and on phones doesn't open the keyboard.
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current === isEditing) return;
    wasEditing.current = isEditing;
    if (!isEditing) return row.current?.querySelector<HTMLElement>('[aria-haspopup=menu]')?.focus();
    const field = row.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [isEditing]);
  const [images, others] = [true, false].map((isImage) => attachments.filter(({ file_type }) => isImageMimeType(file_type) === isImage));
  return (
    <li ref={row} className="flex gap-3">
      <Avatar name={author.name} src={author.avatar_url} color={author.hex_code} className="size-7 text-xs" />
      <div className="min-w-0 flex-1">
        <CommentHeader
          name={author.name}
          menu={
            !isEditing && (
              <CommentMenu comment={comment} canEdit={!unsent?.refused} onEdit={() => actions.startEdit(comment)} onDelete={onDelete} />
            )
          }
        >
          {unsent ? <UnsentStatus {...unsent} /> : <time dateTime={created_at}>{formatDisplayDateTime(created_at)}</time>}
          {edited_at !== null && (
            <span title={formatDisplayDateTime(edited_at)}> · {isEditWaiting ? 'edited, not sent yet' : 'edited'}</span>
          )}
        </CommentHeader>
        {edit ? (
          <CommentEditor comment={comment} edit={edit} job={job} actions={actions} />
        ) : (
          <CommentText text={content} mentions={mentions} />
        )}
        {images && images.length > 0 && (
          <ul aria-label="Photos" className="mt-1.5 flex flex-wrap gap-1.5">
            {images.map((file) => (
              <li key={file.id}>
                <Thumbnail file={file} onOpen={onOpenPhoto} className="h-16 w-21" />
              </li>
            ))}
          </ul>
        )}
        {others && others.length > 0 && (
          <ul aria-label="Files" className="mt-1.5 flex flex-col items-start gap-1.5">
            {others.map((file) => (
              <li key={file.id} className="max-w-full">
                <DownloadLink file={file} />
              </li>
            ))}
          </ul>
        )}
        {unsent?.refused && <RefusalNotice refused={unsent.refused} onEdit={() => onTakeBack(unsent)} />}
        {refusedEdit && !isEditing && (
          <RefusalNotice refused={refusedEdit} onEdit={() => void resumeRefusedEdit(actions, comment, refusedEdit)} />
        )}
      </div>
    </li>
  );
}

interface CommentMenuProps extends Pick<CommentRowProps, 'comment' | 'onDelete'> {
  canEdit: boolean;
  onEdit: () => void;
}

/** The edit and delete actions of a comment, for those who may use them. */
function CommentMenu({ comment, canEdit, onEdit, onDelete }: CommentMenuProps) {
  const { author } = comment;
  const canDeleteAny = useCan('jobs.edit');
  const isOwn = useMe().user.staff_id === author.staff_id;
  if (!useCan('jobs.work') || !(isOwn || canDeleteAny)) return null;
  return (
    <MoreMenu
      label={`Actions for ${isOwn ? 'your' : `${author.name}'s`} comment`}
      className="-my-2.5 -mr-2 ml-auto lg:-my-1.5"
      items={[
        ...(isOwn && canEdit ? [{ label: 'Edit', icon: Pencil, onSelect: onEdit }] : []),
        { label: 'Delete', icon: Trash2, tone: 'danger', onSelect: () => onDelete(comment) },
      ]}
    />
  );
}

function CommentHeader({ name, menu, children }: { name: string; menu?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-x-2">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="text-base font-semibold [overflow-wrap:anywhere]">{name}</span>
        <span className="text-sm text-ink-3 tabular-nums">{children}</span>
      </p>
      {menu}
    </div>
  );
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)'\]])/;

const NO_MENTIONS: readonly Mention[] = [];

/** Renders the text as plain text, never as markup. Only URLs become links, and mentions are emphasized. */
function CommentText({ text, mentions = NO_MENTIONS }: { text: string; mentions?: readonly Mention[] }) {
  if (text === '') return null;
  const parts = splitAtMentions(text, mentions).map((part, index) => ({ ...part, key: `${index}` }));
  return (
    <p className="text-lg whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:text-base">
      {parts.map((part) =>
        part.isMention ? (
          <span key={part.key} className="font-medium text-accent-ink">
            {part.text}
          </span>
        ) : (
          <TextWithLinks key={part.key} text={part.text} />
        ),
      )}
    </p>
  );
}

function TextWithLinks({ text }: { text: string }) {
  const parts = text.split(URL_PATTERN).map((part, index) => ({ part, isUrl: index % 2 === 1, key: `${index}` }));
  return parts.map(({ part, isUrl, key }) =>
    isUrl ? (
      <a key={key} href={part} target="_blank" rel="noopener noreferrer" className="text-accent-ink underline">
        {part}
      </a>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    ),
  );
}
