import type { RollingPeriod } from '@callout/domain/time/zoned-time';
import { type Choice, SelectField } from '../../ui/select-field.tsx';

const PERIOD_LABELS: Record<RollingPeriod, string> = { day: 'Today', week: 'This Week', month: 'This Month', lifetime: 'Lifetime' };

export const createPeriodChoices = <Period extends RollingPeriod>(...periods: readonly Period[]): readonly Choice<Period>[] =>
  periods.map((value) => ({ value, label: PERIOD_LABELS[value] }));

interface PeriodSelectProps<Period extends RollingPeriod> {
  label: string;
  choices: readonly Choice<Period>[];
  value: Period;
  onChange: (period: Period) => void;
}

export function PeriodSelect<Period extends RollingPeriod>({ label, choices, value, onChange }: PeriodSelectProps<Period>) {
  return (
    <SelectField
      label={label}
      hideLabel
      choices={choices}
      value={value}
      onChange={({ target }) => onChange(choices.find((choice) => choice.value === target.value)?.value ?? value)}
      className="w-36"
    />
  );
}

/** Returns search parameters that list the jobs created in `period`; empty for all jobs. */
export const toJobListSearch = (period: RollingPeriod) => (period === 'lifetime' ? {} : { created: period });
