import type { StaffMember } from '@callout/contract/staff';
import { Trash2, UserX } from 'lucide-react';
import { useState } from 'react';
import { centralMessage, hasCode } from '../../lib/error-messages.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useMe } from '../company/company.api.ts';
import { AvatarUpload } from './avatar-upload.tsx';
import { DeleteStaffMember } from './delete-staff-member.tsx';
import { InvitationCard } from './invitation-card.tsx';
import { useDeleteStaffMember, useStaffMember } from './staff.api.ts';
import { StaffAvatar } from './staff-avatar.tsx';
import { StaffDetails } from './staff-details.tsx';
import { StaffPageSkeleton } from './staff-page-skeleton.tsx';
import { StaffStatusPill } from './staff-status-pill.tsx';

export function StaffPage({ id }: { id: string }) {
  const { data: member, error, isFetching, refetch } = useStaffMember(id);
  if (member) return <LoadedMember member={member} missing={hasCode(error, 'NOT_FOUND')} />;
  if (!error) return <StaffPageSkeleton />;
  return (
    <Card>
      {hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT') ? (
        <EmptyState
          icon={UserX}
          sentence="Staff member not found"
          alone
          hint="They may have been deleted, or the link is not complete."
          action={<LinkButton to="/staff">All staff</LinkButton>}
        />
      ) : (
        <ErrorState message={centralMessage(error)} onRetry={() => void refetch()} retrying={isFetching} />
      )}
    </Card>
  );
}

interface LoadedMemberProps {
  member: StaffMember;
  /** Deleted elsewhere while the page is open here. */
  missing: boolean;
}

function LoadedMember({ member, missing }: LoadedMemberProps) {
  const remove = useDeleteStaffMember();
  const [asking, setAsking] = useState(false);
  const isMe = useMe().user.staff_id === member.id;
  const gone = missing && remove.isIdle;
  useDocumentTitle(member.name);
  return (
    <>
      <PageHeader
        title={member.name}
        aside={isMe ? 'You' : <StaffStatusPill status={member.status} />}
        actions={
          !gone && (
            <Button onClick={() => setAsking(true)}>
              <Trash2 aria-hidden="true" />
              Delete
            </Button>
          )
        }
      />
      {gone && (
        <Banner tone="warn" className="mb-4">
          This staff member was deleted meanwhile. What you see here can no longer be saved.
        </Banner>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-5">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 lg:gap-5">
          {gone ? <StaffAvatar member={member} className="size-20 text-2xl lg:size-28" /> : <AvatarUpload member={member} />}
          {!gone && member.status !== 'active' && <InvitationCard member={member} />}
        </div>
        <div className="min-w-0">
          <StaffDetails key={member.id} member={member} gone={gone} />
        </div>
      </div>
      <DeleteStaffMember member={member} remove={remove} open={asking} onOpenChange={setAsking} />
    </>
  );
}
