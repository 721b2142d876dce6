-- Beside a new email, the present one may wait to be confirmed: a link for each.
alter table email_changes drop constraint email_changes_pkey, add primary key (user_id, new_email);
