import { Banner } from '../../ui/banner.tsx';

/** No mail server is configured: an invitation waits where the administrator of this server finds it. */
export function MailKept({ name, className }: { name: string; className?: string }) {
  return (
    <Banner tone="warn" {...(className ? { className } : {})}>
      This server has no mail set up, so nothing was sent to {name}. The invitation with its link is kept for the server's administrator:
      please ask them for it.
    </Banner>
  );
}
