import { type MyDetails as Details, MyDetailsInput } from '@callout/contract/staff';
import { useQuery } from '@tanstack/react-query';
import { defineForm } from '../../lib/form-definition.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormSection } from '../../ui/card.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useMe } from '../company/company.api.ts';
import { AvatarUpload } from './avatar-upload.tsx';
import { myDetailsQueryOptions, useMyAvatarMutations, useUpdateMyDetails } from './staff.api.ts';

const detailsForm = defineForm({
  schema: MyDetailsInput,
  fromRecord: (details: Details) => details,
  fields: { name: { label: 'Your name' }, phone: { label: 'Phone', input: 'phone' } },
});

/** Lets people in any role edit their own name, phone number and picture. */
export function MyDetails() {
  const query = useQuery(myDetailsQueryOptions);
  return (
    <FormSection title="Your details" description="Colleagues see your name and picture. Your name appears on emails you send.">
      <div className="sm:col-span-6">
        <QueryView query={query} skeleton={<SkeletonRows label="Loading your details" count={3} className="h-16" />}>
          {(details) => <DetailsForm details={details} />}
        </QueryView>
      </div>
    </FormSection>
  );
}

function DetailsForm({ details }: { details: Details }) {
  const update = useUpdateMyDetails();
  const avatar = useMyAvatarMutations();
  const editor = useRecordForm({
    definition: detailsForm,
    record: details,
    person: useMe().user.id,
    part: 'my-details',
    save: (values, version) => update.mutateAsync({ version, ...values }),
  });
  return (
    <>
      <AvatarUpload member={details} mutations={avatar} />
      <div className="mt-4">
        <RecordForm
          editor={editor}
          recordLabel="your details"
          frame="none"
          actions={
            <Button type="submit" tone="primary" busy={editor.saving}>
              {editor.saving ? 'Saving…' : 'Save Details'}
            </Button>
          }
        >
          <div className="grid items-start gap-4 sm:grid-cols-6 lg:gap-5">
            <FormFields editor={editor} extras={{ name: { autoComplete: 'name' }, phone: { autoComplete: 'tel' } }} />
          </div>
        </RecordForm>
      </div>
    </>
  );
}
