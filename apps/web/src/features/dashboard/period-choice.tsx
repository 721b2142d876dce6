import type { Period } from '@callout/domain/time/zoned-time';
import { type Choice, SelectField } from '../../ui/select-field.tsx';

const PERIOD_NAMES: Record<Period, string> = { day: 'Today', week: 'This Week', month: 'This Month', lifetime: 'Lifetime' };

export const choicesOf = <Some extends Period>(...periods: readonly Some[]): readonly Choice<Some>[] =>
  periods.map((value) => ({ value, label: PERIOD_NAMES[value] }));

interface PeriodChoiceProps<Some extends Period> {
  /** What it limits. */
  label: string;
  choices: readonly Choice<Some>[];
  value: Some;
  onChange: (period: Some) => void;
}

export function PeriodChoice<Some extends Period>({ label, choices, value, onChange }: PeriodChoiceProps<Some>) {
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

/** The parameters that show the jobs made in a period; there are none for all of them. */
export const createdParam = (period: Period) => (period === 'lifetime' ? {} : { created: period });
