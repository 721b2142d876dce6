import type { CalendarFeed } from '@callout/contract/calendar';
import { formatDateTime } from '@callout/domain/time/date-format';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { QueryView } from '../../lib/query-view.tsx';
import { useShownTimeZone } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { copyLink } from '../../ui/copy-link.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { feedOptions, useCloseFeed, useOpenFeed } from './calendar-feed.api.ts';

interface FeedDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The private link through which other calendars show a person's own jobs and tasks. */
export function FeedDialog({ open, onOpenChange }: FeedDialogProps) {
  const query = useQuery({ ...feedOptions, enabled: open });
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title="Subscribe"
      description="See your own jobs and tasks in Google Calendar, Apple Calendar or Outlook. They stay up to date; most calendar apps check every few hours."
    >
      <QueryView query={query} skeleton={<SkeletonRows label="Loading..." count={2} className="h-12" />}>
        {(feed) => (feed.url === null ? <FeedOff /> : <FeedOn feed={feed} url={feed.url} />)}
      </QueryView>
    </Sheet>
  );
}

/** What had the focus may be gone: then it goes on here. */
const keepFocus = (element: HTMLElement | null) => {
  if (element && document.activeElement === document.body) element.focus();
};

function FeedOff() {
  const open = useOpenFeed();
  return (
    <>
      <p className="mb-4 text-base text-ink-2">Your calendar link is off.</p>
      <Button ref={keepFocus} tone="primary" busy={open.isPending} onClick={() => open.mutate()}>
        {open.isPending ? 'Turning on…' : 'Turn on'}
      </Button>
    </>
  );
}

/** Calendar apps open such an address and subscribe to it. */
const webcal = (url: string) => url.replace(/^https?:/, 'webcal:');

function FeedOn({ feed: { last_opened_at: fetchedAt }, url }: { feed: CalendarFeed; url: string }) {
  const zone = useShownTimeZone();
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Button ref={keepFocus} tone="primary" onClick={() => void copyLink(url, 'below')}>
          <Copy aria-hidden="true" />
          Copy link
        </Button>
        <AnchorButton href={webcal(url)}>
          <CalendarPlus aria-hidden="true" />
          Open in calendar app
        </AnchorButton>
      </div>
      <TextField
        label="Your private link"
        readOnly
        value={url}
        hint={fetchedAt ? `Last fetched ${formatDateTime(fetchedAt, zone)}` : 'No calendar has fetched it yet.'}
        className="w-full"
        onFocus={({ target }) => target.select()}
      />
      <p className="text-sm text-ink-2">
        In Google Calendar choose Other calendars, then From URL, and paste the link. Whoever has it can see your jobs and their addresses,
        so keep it to yourself.
      </p>
      <TurnOff />
    </div>
  );
}

function TurnOff() {
  const close = useCloseFeed();
  const [isAsking, setAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const keep = () => {
    setAsking(false);
    opener.current?.focus();
  };
  return (
    <>
      <Button
        ref={opener}
        tone="quiet"
        className="self-start text-danger-ink"
        aria-expanded={isAsking}
        onClick={() => setAsking(!isAsking)}
      >
        Turn off…
      </Button>
      {isAsking && (
        <fieldset className="rounded-control bg-sunken p-3">
          <legend className="sr-only">Turn off the calendar link?</legend>
          <p className="text-base font-medium">Turn off the calendar link?</p>
          <p className="mt-1 text-sm text-ink-2">Calendars that use it stop updating. Turning it on again makes a new link.</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button disabled={close.isPending} onClick={keep}>
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
