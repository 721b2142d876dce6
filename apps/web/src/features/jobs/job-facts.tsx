import type { Job, JobRow } from '@callout/contract/jobs';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { formatDuration } from '@callout/domain/durations/duration';
import { formatBooking } from '@callout/domain/jobs/booking-format';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-format';
import { hasTimePrice } from '@callout/domain/timer/timer';
import { Clock, MapPin, Navigation, Phone, UserRound, Users } from 'lucide-react';
import { buildDirectionsUrl, buildPhoneUrl } from '../../lib/contact-urls.ts';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { useToday } from '../../lib/use-today.ts';
import { Card } from '../../ui/card.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { SUMMARY_LINK_CLASSES, SummaryField } from '../../ui/summary-field.tsx';
import { DESKTOP_UP, useMediaQuery } from '../../ui/use-browser-state.ts';
import { CustomerFact, CustomerLink } from '../customers/customer-fact.tsx';
import { AssignedStaff, NOT_SCHEDULED_LABEL } from './job-labels.tsx';
import { MissingRateNote } from './job-rate.tsx';

/** Lists the facts in the order that someone driving to the job needs them: where, when, who to call, then the description. */
export function JobFacts({ job }: { job: Job }) {
  const isDesktop = useMediaQuery(DESKTOP_UP);
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] lg:gap-x-5 lg:divide-y-0 lg:p-5">
        <AddressFact job={job} isDesktop={isDesktop} />
        <BookingFact job={job} isDesktop={isDesktop} />
        <CustomerFact customer={job.customer} />
        {isDesktop && <StaffFact job={job} />}
      </dl>
      {!isDesktop && <PhoneActions job={job} />}
      {job.description !== '' && (
        <p className="border-t p-4 text-base whitespace-pre-line text-ink-2 [overflow-wrap:anywhere] lg:px-5">{job.description}</p>
      )}
      {!isDesktop && (
        <dl className="border-t">
          <StaffFact job={job} />
        </dl>
      )}
    </Card>
  );
}

/** Shows the facts known from a cached list row while the full job loads. */
export function CachedJobFacts({ job }: { job: JobRow }) {
  return (
    <Card>
      <dl className="divide-y lg:grid lg:grid-cols-3 lg:gap-x-5 lg:divide-y-0 lg:p-5">
        <BookingFact job={{ booking_date: job.booking_date, duration: null }} isDesktop={useMediaQuery(DESKTOP_UP)} />
        <SummaryField
          icon={UserRound}
          label="Customer"
          headline={job.customer ? <CustomerLink customer={job.customer} /> : formatCustomerName(null)}
        />
        <SummaryField icon={Users} label="Staff" headline={<AssignedStaff staff={job.staff} wraps />} />
      </dl>
    </Card>
  );
}

function AddressFact({ job: { address }, isDesktop }: { job: Job; isDesktop: boolean }) {
  const directions = address && buildDirectionsUrl(address);
  const [street, rest] = address ? splitAddress(address) : ['No address', ''];
  return (
    <SummaryField icon={MapPin} label="Where" headline={street}>
      <span className="block">{rest}</span>
      {isDesktop && directions && (
        <a href={directions} target="_blank" rel="noopener noreferrer" className={SUMMARY_LINK_CLASSES}>
          Get Directions
        </a>
      )}
    </SummaryField>
  );
}

/** If the first part of an address is shorter than this, it is a unit or floor number, not a street. */
const MIN_STREET_LENGTH = 9;

/** Splits an address into the street and number, which drivers look for first, and the suburb and city. */
function splitAddress(address: string): readonly [string, string] {
  const parts = address.split(/\s*[\n,]\s*/).filter(Boolean);
  const [first = '', second = ''] = parts;
  const streetParts = first.length < MIN_STREET_LENGTH && second ? 2 : 1;
  return [parts.slice(0, streetParts).join(', '), parts.slice(streetParts).join(', ')];
}

interface BookingFactProps {
  job: Pick<Job, 'booking_date' | 'duration'>;
  isDesktop: boolean;
}

function BookingFact({ job: { booking_date: start, duration }, isDesktop }: BookingFactProps) {
  const zone = useDisplayTimeZone();
  const today = useToday(zone);
  const durationLabel = duration && formatDuration(duration);
  const booking = start && formatBooking(start, duration, today, zone);
  if (!booking) {
    return (
      <SummaryField icon={Clock} label="When" headline={NOT_SCHEDULED_LABEL} className="lg:order-first">
        {durationLabel}
      </SummaryField>
    );
  }
  const { day, time, date, fullDay } = booking;
  /** True if `day` already contains a date in the current year, such as 'Fri, Nov 20', so showing `date` would repeat it. */
  const isDateDisplayed = day.includes(',') && date.endsWith(today.slice(0, 4));
  return (
    <SummaryField icon={Clock} label="When" headline={isDesktop ? fullDay : `${day}, ${time}`} className="lg:order-first">
      {isDesktop && <span className="block">{time}</span>}
      {joinParts(!isDesktop && !isDateDisplayed && date, durationLabel)}
    </SummaryField>
  );
}

const joinParts = (...parts: readonly (string | false | null)[]) => parts.filter(Boolean).join(' · ');

function StaffFact({ job }: { job: Job }) {
  const { currency } = job;
  const { job_type: type, fixed_amount: fixed, timer, items, totals } = job;
  const price =
    type === 'hourly'
      ? hasTimePrice(job)
        ? `Hourly, ${formatHourlyRate(timer.hourly_rate, currency)}`
        : 'Hourly'
      : fixed === null
        ? 'Fixed price'
        : `Fixed price ${formatMoney(fixed, currency)}`;
  // The items of an accepted quote add up to the fixed amount, so they replace nothing.
  const isReplaced =
    type === 'fixed' && fixed !== null && items.length > 0 && formatMoney(totals.total_amount, currency) !== formatMoney(fixed, currency);
  return (
    <SummaryField icon={Users} label="Staff" headline={<AssignedStaff staff={job.staff} wraps />}>
      {isReplaced ? `${price} (replaced by the items below)` : price}
      {type === 'hourly' && !hasTimePrice(job) && (
        <span className="block">
          <MissingRateNote job={job} />
        </span>
      )}
    </SummaryField>
  );
}

function PhoneActions({ job: { address, customer } }: { job: Job }) {
  const directions = address && buildDirectionsUrl(address);
  const call = customer && buildPhoneUrl(customer.phone);
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
          {`Call ${getCallName(customer.name)}`.trim()}
        </AnchorButton>
      )}
    </div>
  );
}

/** Longer names would be cut off beside the Get Directions button. */
const MAX_CALL_NAME_LENGTH = 10;

/** Returns the name for the Call button: 'Rachel' for 'Rachel Ngata', all of 'R. Lee', or '' if the name is too long. */
function getCallName(name: string): string {
  const [first = ''] = name.split(' ');
  const displayName = /^[\p{L}'’-]{3,}$/u.test(first) ? first : name;
  return displayName.length > MAX_CALL_NAME_LENGTH ? '' : displayName;
}
