import type { CalendarFeed } from '@callout/contract/calendar';
import { formatDateTime } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { copyLink } from '../../ui/copy-link.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { calendarFeedQueryOptions, useDisableCalendarFeed, useEnableCalendarFeed } from './calendar-feed.api.ts';

interface FeedDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Turns on and off the private link that shows a person's own jobs and tasks in their calendar app. */
export function CalendarFeedDialog({ open, onOpenChange }: FeedDialogProps) {
  const query = useQuery({ ...calendarFeedQueryOptions, enabled: open });
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Subscribe"
      description="See your own jobs and tasks in Google Calendar, Apple Calendar or Outlook. They stay up to date; most calendar apps check every few hours."
    >
      <QueryView query={query} skeleton={<SkeletonRows label="Loading..." count={2} className="h-12" />}>
        {(feed) => (feed.url === null ? <DisabledFeed /> : <EnabledFeed feed={feed} url={feed.url} />)}
      </QueryView>
    </Sheet>
  );
}

/** Moves the focus to `element` if the focused element was removed, for example when turning the link on or off replaces a button. */
const restoreLostFocus = (element: HTMLElement | null) => {
  if (element && document.activeElement === document.body) element.focus();
};

function DisabledFeed() {
  const open = useEnableCalendarFeed();
  return (
    <>
      <p className="mb-4 text-base text-ink-2">Your calendar link is off.</p>
      <Button ref={restoreLostFocus} tone="primary" busy={open.isPending} onClick={() => open.mutate()}>
        {open.isPending ? 'Turning on…' : 'Turn on'}
      </Button>
    </>
  );
}

/** Calendar apps offer to subscribe when a webcal: URL is opened. */
const toWebcalUrl = (url: string) => url.replace(/^https?:/, 'webcal:');

function EnabledFeed({ feed: { last_opened_at: fetchedAt }, url }: { feed: CalendarFeed; url: string }) {
  const zone = useDisplayTimeZone();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button ref={restoreLostFocus} tone="primary" onClick={() => void copyLink(url, 'below')}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
        <AnchorButton href={toWebcalUrl(url)}>
          <CalendarPlus aria-hidden="true" />
          Open in calendar app
        </AnchorButton>
      </div>
      <TextField
        label="Your private link"
        readOnly
        value={url}
        hint={fetchedAt ? `Last fetched ${formatDateTime(fetchedAt, zone)}` : 'No calendar has fetched this link yet.'}
        className="w-full"
        onFocus={({ target }) => target.select()}
      />
      <p className="text-sm text-ink-2">
        In Google Calendar, choose Other calendars, then From URL, and paste the link. Anyone with the link can see your jobs and their
        addresses, so keep it private.
      </p>
      <TurnOffFeed />
    </div>
  );
}

function TurnOffFeed() {
  const close = useDisableCalendarFeed();
  const [isConfirming, setConfirming] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    setConfirming(false);
    trigger.current?.focus();
  };
  return (
    <>
      <Button
        ref={trigger}
        tone="quiet"
        className="self-start text-danger-ink"
        aria-expanded={isConfirming}
        onClick={() => setConfirming(!isConfirming)}
      >
        Turn off…
      </Button>
      {isConfirming && (
        <fieldset className="rounded-control bg-sunken p-3">
          <legend className="sr-only">Turn off the calendar link?</legend>
          <p className="text-base font-medium">Turn off the calendar link?</p>
          <p className="mt-1 text-sm text-ink-2">Calendars that use this link will stop updating. Turning it back on creates a new link.</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button disabled={close.isPending} onClick={cancel}>
              Keep it
            </Button>
            <Button tone="danger" busy={close.isPending} onClick={() => close.mutate()}>
              {close.isPending ? 'Turning off…' : 'Turn off'}
            </Button>
          </div>
        </fieldset>
      )}
    </>
  );
}
