-- Old texts of emails and read notifications are found and deleted in batches.
create index outbox_mails_with_text on outbox_mails (sent_at) where status = 'sent' and text_body <> '';
create index notifications_read on notifications (created_at) where read;
