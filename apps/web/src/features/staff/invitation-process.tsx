import { Mail } from 'lucide-react';

const STEPS = [
  'You fill in who they are and choose what they may do.',
  'They get an email with a link that works once, for 7 days.',
  'They choose a password, and are in. Until then they show as Invited.',
];

export function InvitationProcess() {
  return (
    <section aria-labelledby="invitation-process" className="mb-4 flex gap-3 rounded-card bg-info-soft p-4 text-info-ink lg:px-5">
      <Mail aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <h2 id="invitation-process" className="text-base font-semibold">
          Staff Invitation Process
        </h2>
        <ol className="mt-1 list-inside list-decimal space-y-0.5 text-base">
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
    </section>
  );
}
