import { isImageMimeType } from '@callout/domain/files/file-types';
import { pluralize } from '@callout/domain/text/count-format';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { StoredFileLinks } from '../../lib/attachments/stored-file-links.tsx';
import { findDefinition, getVariables } from '../../lib/commands/define-command.ts';
import { discardCommand, retryCommand } from '../../lib/commands/outbox.ts';
import { useCommands } from '../../lib/commands/overlays.ts';
import { findDependents, type QueuedCommand, type StoredFile, UPLOAD_CALL } from '../../lib/commands/stored-command.ts';
import { useIsOffline } from '../../lib/offline-state.ts';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { TimeZoneNote } from '../../lib/time-zone-note.tsx';
import { getRefusalReason } from '../../lib/unsent-notice.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'Unsent changes';

/** Lists what this person has changed on this device and the server doesn't have yet: what it has refused, then what is waiting. */
export function UnsentPage() {
  useDocumentTitle(TITLE);
  const commands = useCommands();
  const isOffline = useIsOffline();
  const refused = commands.filter(({ refusal }) => refusal);
  const waiting = commands.filter(({ refusal }) => !refusal);
  return (
    <>
      <PageHeader
        title={TITLE}
        subtitle={commands.length > 0 && 'These changes are stored on this device.'}
        note={commands.length > 0 && <TimeZoneNote />}
      />
      {isOffline && (
        <Banner tone="warn" className="mb-4">
          You're offline. You can open what this device has stored, and most changes are sent later. Emails, invoices and payments need a
          connection.
        </Banner>
      )}
      {commands.length === 0 && (
        <Card>
          <EmptyState
            icon={CircleCheck}
            message="Everything has been sent"
            hint="Changes that you make offline appear here until they are sent."
          />
        </Card>
      )}
      {refused.length > 0 && <CommandList title="Not accepted" commands={refused} all={commands} />}
      {waiting.length > 0 && (
        <CommandList title={isOffline ? "Will be sent when you're back online" : 'Waiting to be sent'} commands={waiting} all={commands} />
      )}
    </>
  );
}

interface CommandListProps {
  title: string;
  commands: readonly QueuedCommand[];
  all: readonly QueuedCommand[];
}

function CommandList({ title, commands, all }: CommandListProps) {
  return (
    <section aria-label={title} className="mb-6">
      <h2 className="mb-2 text-lg font-semibold">{`${title} (${commands.length})`}</h2>
      <Card>
        <ul className="divide-y">
          {commands.map((command) => (
            <UnsentCommand key={command.id} command={command} dependents={findDependents(all, command.id)} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function describe(command: QueuedCommand, isInSentence: boolean): string {
  const text = findDefinition(command.call)?.describe(getVariables(command)) ?? 'A change made with an earlier version of Callout';
  return isInSentence ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

const describeUpload = ({ name, type }: StoredFile) => `${isImageMimeType(type) ? 'Photo' : name} for `;

function UnsentCommand({ command, dependents }: { command: QueuedCommand; dependents: readonly QueuedCommand[] }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  /** The change that an upload belongs to. */
  const owner = command.call === UPLOAD_CALL ? dependents.find(({ after }) => after.includes(command.lane)) : undefined;
  const named = owner ?? command;
  const text = (owner ? describeUpload(command.input as StoredFile) : '') + describe(named, owner !== undefined);
  const href = findDefinition(named.call)?.href?.(getVariables(named));
  const reason = command.refusal && getRefusalReason(command.refusal);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 lg:px-5">
      <div className="min-w-0 flex-1 basis-60">
        {href ? (
          <Link to={href} className="font-medium [overflow-wrap:anywhere] underline-offset-2 hover:underline">
            {text}
          </Link>
        ) : (
          <p className="font-medium [overflow-wrap:anywhere]">{text}</p>
        )}
        <p className="text-base text-ink-2">{formatDisplayDateTime(new Date(command.madeAt).toISOString())}</p>
        {!owner && command.files && <StoredFileLinks files={command.files} />}
        {reason && <p className="text-base text-danger-ink">{reason}</p>}
        {command.refusal && dependents.length > 0 && (
          <p className="text-base text-ink-2">{`${pluralize(dependents.length, 'later change')} of yours ${dependents.length === 1 ? 'waits' : 'wait'} for this one.`}</p>
        )}
      </div>
      <div className="flex gap-2">
        {command.refusal && <Button onClick={() => void retryCommand(command.id)}>Try again</Button>}
        {/* Without its file, the change would be refused, so they are discarded together. */}
        {!owner && (
          <Button tone={command.refusal ? 'danger' : 'quiet'} onClick={() => void discardCommand(command.id)}>
            Discard
          </Button>
        )}
      </div>
    </li>
  );
}
