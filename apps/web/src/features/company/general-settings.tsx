import type { Profile } from '@callout/contract/company';
import { useEffect } from 'react';
import { messageOf } from '../../lib/error-messages.ts';
import { reportFailure } from '../../lib/report-failure.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { CompanyLogo } from './company-logo.tsx';
import { useFreshProfile } from './company-settings.api.ts';
import { SettingsConflict } from './settings-conflict.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { useSettingsEditor } from './use-settings-editor.ts';

export function GeneralSettings({ profile }: { profile: Profile }) {
  const { error } = useFreshProfile();
  useEffect(() => {
    if (error) reportFailure(error, `Failed to load profile: ${messageOf(error)}`);
  }, [error]);
  const editor = useSettingsEditor(profile);
  const { form, submit, saving, dirty, conflict } = editor;
  return (
    <>
      {conflict && (
        <SettingsConflict differences={conflict} saving={saving} onLoadTheirs={editor.loadTheirs} onSaveMine={editor.saveMine} />
      )}
      {editor.changedElsewhere && (
        <Banner className="mb-4" actions={<Button onClick={editor.compare}>Compare</Button>}>
          Somebody else changed the settings while you were typing. What you typed is still here.
        </Banner>
      )}
      <div className="space-y-6">
        <CompanyLogo src={profile.avatar_url} />
        <form noValidate onSubmit={submit} className="space-y-6">
          <SettingsFields form={form} storedZone={profile.timezone} />
          {!conflict && <SaveBar alone dirty={dirty} saving={saving} onDiscard={editor.discard} />}
        </form>
      </div>
      <UnsavedChanges isDirty={editor.isDirty} />
    </>
  );
}
