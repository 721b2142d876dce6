import { isDecimalAmount } from '@callout/domain/money/amount';
import { formatHourlyRate, formatMoney } from '@callout/domain/money/money-format';
import { findConflictingRate, getEffectiveHourlyRate, hasHourlyRate } from '@callout/domain/timer/timer';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { SUMMARY_LINK_CLASSES } from '../../ui/summary-field.tsx';
import { useCan, useProfile } from '../company/company.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import type { JobEditor } from './job-fields.tsx';

/** Says which hourly rate applies as the rate is typed. A separate component, so that typing doesn't re-render the whole form. */
export function RateHint({ editor: { form }, currency }: { editor: JobEditor; currency: string | null | undefined }) {
  const profile = useProfile();
  const [staffId, typed, isJobRateConfirmed] = useWatch({
    control: form.control,
    name: ['staff_id', 'hourly_rate', 'hourly_rate_confirmed'],
  });
  const person = useQuery(staffNamesQueryOptions).data?.find(({ id }) => id === staffId);
  const job = normalizeDecimal(typed) || null;
  if (job !== null && !isDecimalAmount(job)) return null;
  // Names that were stored by an older version have no rate.
  const [staff, company] = [person?.hourly_rate ?? null, profile?.default_hourly_rate ?? null];
  const format = (rate: string) => formatHourlyRate(rate, currency);
  const conflicting = findConflictingRate({ staff, job });
  const confirm = (isConfirmed: boolean) => form.setValue('hourly_rate_confirmed', isConfirmed, { shouldDirty: true });
  if (conflicting !== null && job !== null) {
    const name = person?.name ?? 'The assigned person';
    return isJobRateConfirmed ? (
      <>
        {`This job uses ${format(job)} instead of ${name}'s ${format(conflicting)}. `}
        <RateButton label={`Use ${name}'s rate`} onClick={() => confirm(false)} />
      </>
    ) : (
      <>
        {`${name}'s rate of ${format(conflicting)} applies, not ${format(job)}. `}
        <RateButton label={`Use ${formatShortMoney(job, currency)} for this job`} onClick={() => confirm(true)} />
      </>
    );
  }
  const effective = getEffectiveHourlyRate({ staff, job, company, isJobRateConfirmed });
  if (!hasHourlyRate(effective)) return <MissingRateHint />;
  if (job !== null) return null;
  return effective === staff
    ? `${person?.name}'s rate of ${format(effective)} applies.`
    : `Your default rate of ${format(effective)} applies.`;
}

/** Formats whole amounts without cents: '$60', '$62.50'. */
const formatShortMoney = (amount: string, currency: string | null | undefined) => formatMoney(amount, currency).replace(/\.00$/, '');

function RateButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} className={SUMMARY_LINK_CLASSES}>
      {label}
    </button>
  );
}

function MissingRateHint() {
  const canSetDefault = useCan('company.edit');
  return (
    <span className="text-warn-ink">
      {'No hourly rate yet, so time on this job costs nothing. '}
      {canSetDefault && (
        <Link to="/settings" className={SUMMARY_LINK_CLASSES}>
          Set a default rate
        </Link>
      )}
    </span>
  );
}
