import type { Profile } from '@callout/contract/company';
import { reportFailure } from '../../lib/report-failure.ts';
import { useRecordEditor } from '../../lib/use-record-editor.ts';
import { toast } from '../../ui/toast.ts';
import { useMe } from './company.api.ts';
import { useUpdateSettings } from './company-settings.api.ts';
import { SettingsFormSchema, withoutHiddenFee } from './settings-form-schema.ts';
import { settingsValues } from './settings-values.ts';

export function useSettingsEditor(profile: Profile) {
  const update = useUpdateSettings();
  return useRecordEditor({
    record: profile,
    person: useMe().user.id,
    schema: SettingsFormSchema,
    valuesOf: settingsValues,
    shown: withoutHiddenFee,
    save: (settings, version) => update.mutateAsync({ version, ...settings }),
    saved: () => toast.success('Settings updated successfully'),
    failed: (error) => reportFailure(error, 'Failed to update settings'),
  });
}

export type SettingsEditor = ReturnType<typeof useSettingsEditor>;
