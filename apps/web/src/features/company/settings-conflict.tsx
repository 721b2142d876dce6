import type { FieldDifference, FieldValue } from '../../lib/edited-values.ts';
import { ConflictCard, type ShownDifference } from '../../ui/conflict-card.tsx';
import { SETTINGS_LABELS } from './settings-values.ts';
import type { SettingsEditor } from './use-settings-editor.ts';

type Differences = NonNullable<SettingsEditor['conflict']>;

interface SettingsConflictProps {
  differences: Differences;
  saving: boolean;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
}

export function SettingsConflict({ differences, ...rest }: SettingsConflictProps) {
  return <ConflictCard what="the settings" differences={differences.map(inWords)} {...rest} />;
}

function inWords({ field, yours, theirs, contested }: Differences[number]): ShownDifference {
  return { label: SETTINGS_LABELS[field], yours: shown(yours), theirs: shown(theirs), contested };
}

const shown = (value: FieldDifference['yours']): string => (typeof value === 'boolean' ? yesOrNo(value) : value);
const yesOrNo = (value: FieldValue) => (value ? 'Yes' : 'No');
