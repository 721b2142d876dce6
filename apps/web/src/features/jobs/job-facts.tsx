import type { Job, JobRow } from '@callout/contract/jobs';
import { customerLabel } from '@callout/domain/customers/customer';
import { durationText } from '@callout/domain/durations/duration';
import { bookingText } from '@callout/domain/jobs/booking-text';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-text';
import { Clock, MapPin, Navigation, Phone, UserRound, Users } from 'lucide-react';
import { directionsLink, phoneLink } from '../../lib/contact-urls.ts';
import { browserTimeZone, companyTimeZone, timeZoneText, useShownTimeZone } from '../../lib/time-zone.ts';
import { useToday } from '../../lib/use-today.ts';
import { Card } from '../../ui/card.tsx';
import { FACT_LINK, Fact } from '../../ui/fact.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { DESK_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { useProfile } from '../company/company.api.ts';
import { CustomerFact, CustomerLink } from '../customers/customer-fact.tsx';
import { AssignedTo, NOT_SCHEDULED } from './job-labels.tsx';

/** Read on the way: where, when, whom to call, then what is wrong. A desk has them side by side. */
export function JobFacts({ job }: { job: Job }) {
  const isDesk = useMediaQuery(DESK_UP);
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] lg:gap-x-5 lg:divide-y-0 lg:p-5">
        <WhereFact job={job} isDesk={isDesk} />
        <WhenFact job={job} isDesk={isDesk} />
        <CustomerFact customer={job.customer} />
        {isDesk && <StaffFact job={job} />}
      </dl>
      {!isDesk && <PhoneActions job={job} />}
      {job.description !== '' && (
        <p className="border-t p-4 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">{job.description}</p>
      )}
      {!isDesk && (
        <dl className="border-t">
          <StaffFact job={job} />
        </dl>
      )}
    </Card>
  );
}

/** As far as a list knows them. */
export function KnownJobFacts({ job }: { job: JobRow }) {
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-3 lg:gap-x-5 lg:divide-y-0 lg:p-5">
        <WhenFact job={{ booking_date: job.booking_date, duration: null }} isDesk={useMediaQuery(DESK_UP)} />
        <Fact icon={UserRound} label="Customer" headline={job.customer ? <CustomerLink customer={job.customer} /> : customerLabel(null)} />
        <Fact icon={Users} label="Staff" headline={<AssignedTo staff={job.staff} wraps />} />
      </dl>
    </Card>
  );
}

function WhereFact({ job: { address }, isDesk }: { job: Job; isDesk: boolean }) {
  const directions = address && directionsLink(address);
  const [street, rest] = address ? splitAddress(address) : ['No address', ''];
  return (
    <Fact icon={MapPin} label="Where" headline={street}>
      <span className="block">{rest}</span>
      {isDesk && directions && (
        <a href={directions} target="_blank" rel="noopener noreferrer" className={FACT_LINK}>
          Get Directions
        </a>
      )}
    </Fact>
  );
}

/** Shorter than this the first part is a flat or a level, not a street. */
const MIN_STREET_LENGTH = 9;

/** Street and number first, which is what somebody looks for from the van; then suburb and city. */
function splitAddress(address: string): readonly [string, string] {
  const parts = address.split(/\s*[\n,]\s*/).filter(Boolean);
  const [first = '', second = ''] = parts;
  const taken = first.length < MIN_STREET_LENGTH && second ? 2 : 1;
  return [parts.slice(0, taken).join(', '), parts.slice(taken).join(', ')];
}

interface WhenFactProps {
  job: Pick<Job, 'booking_date' | 'duration'>;
  isDesk: boolean;
}

function WhenFact({ job: { booking_date: start, duration }, isDesk }: WhenFactProps) {
  const zone = useShownTimeZone();
  const today = useToday(zone);
  const length = duration && durationText(duration);
  const elsewhere = (zone !== browserTimeZone() || zone !== companyTimeZone()) && timeZoneText(zone);
  const booking = start && bookingText(start, duration, today, zone);
  if (!booking) {
    return (
      <Fact icon={Clock} label="When" headline={NOT_SCHEDULED} className="lg:order-first">
        {length}
      </Fact>
    );
  }
  const { day, time, date, fullDay } = booking;
  /** 'Fri, Nov 20' says it already, in this year. */
  const isSaid = day.includes(',') && date.endsWith(today.slice(0, 4));
  return (
    <Fact icon={Clock} label="When" headline={isDesk ? fullDay : `${day}, ${time}`} className="lg:order-first">
      {isDesk && <span className="block">{time}</span>}
      {joined(!isDesk && !isSaid && date, length, elsewhere)}
    </Fact>
  );
}

const joined = (...parts: readonly (string | false | null)[]) => parts.filter(Boolean).join(' · ');

function StaffFact({ job }: { job: Job }) {
  const currency = useProfile()?.currency;
  const { job_type: type, fixed_amount: fixed, timer, items } = job;
  const price =
    type === 'hourly'
      ? `Hourly, ${formatHourlyRate(timer.hourly_rate, currency)}`
      : fixed === null
        ? 'Fixed price'
        : `Fixed price ${formatMoney(fixed, currency)}`;
  const isReplaced = type === 'fixed' && fixed !== null && items.length > 0;
  return (
    <Fact icon={Users} label="Staff" headline={<AssignedTo staff={job.staff} wraps />}>
      {isReplaced ? `${price} (replaced by the items below)` : price}
    </Fact>
  );
}

function PhoneActions({ job: { address, customer } }: { job: Job }) {
  const directions = address && directionsLink(address);
  const call = customer && phoneLink(customer.phone);
  if (!directions && !call) return null;
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-2 px-4 pb-4">
      {directions && (
        <AnchorButton href={directions} target="_blank" rel="noopener noreferrer" tone="tinted" className="min-h-12 px-2">
          <Navigation aria-hidden="true" />
          Get Directions
        </AnchorButton>
      )}
      {customer && call && (
        <AnchorButton href={call} tone="tinted" className="min-h-12 px-2">
          <Phone aria-hidden="true" />
          {`Call ${callName(customer.name)}`.trim()}
        </AnchorButton>
      )}
    </div>
  );
}

/** More would be cut off beside Get Directions. */
const MAX_CALL_NAME = 10;

/** 'Rachel' of 'Rachel Ngata'; of 'R. Lee' all of it; nothing of what is too long. */
function callName(name: string): string {
  const [first = ''] = name.split(' ');
  const called = /^[\p{L}'’-]{3,}$/u.test(first) ? first : name;
  return called.length > MAX_CALL_NAME ? '' : called;
}
