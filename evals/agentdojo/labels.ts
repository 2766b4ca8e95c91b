import type { PolicyTool } from "@deputy/policy";
import type { ResultTrust } from "@deputy/protocol";

/** What the author of a tool would say about it; what is left out is the default. */
export interface ToolLabels {
  readonly effect?: PolicyTool["effect"];
  readonly critical?: readonly string[];
  readonly trust?: ResultTrust;
}

const MAIL: ToolLabels = { trust: { values: ["*.id_", "*.timestamp"] } };
const CONTACTS: ToolLabels = { trust: { values: ["*.email", "*.name"] } };
const EVENTS: ToolLabels = {
  trust: { values: ["*.id_", "*.start_time", "*.end_time", "*.participants.*", "*.all_day", "*.status"] },
};
const FILES: ToolLabels = {
  trust: { values: ["*.id_", "*.filename", "*.owner", "*.last_modified", "*.size"] },
};
const FILE: ToolLabels = { trust: { values: ["id_", "filename", "owner", "last_modified", "size"] } };
const MESSAGES: ToolLabels = { trust: { values: ["*.sender", "*.recipient"] } };
/** Names that somebody chose, which the system knows them by. */
const NAMES: ToolLabels = { trust: { values: ["*"] } };
const OWN: ToolLabels = { trust: "trusted" };
const OUTWARD: ToolLabels = { effect: "egress" };
const DESTROYS: ToolLabels = { effect: "destructive" };

/**
 * AgentDojo's tools by name. The rule of thumb: what a system keeps itself is its own word, what others
 * wrote into it is theirs; critical is what decides who or what is affected; messages, money and
 * bookings reach outward.
 */
export const labels: ReadonlyMap<string, ToolLabels> = new Map(
  Object.entries({
    // banking
    get_iban: OWN,
    get_balance: OWN,
    get_user_info: OWN,
    // Only the account's owner makes these.
    get_scheduled_transactions: OWN,
    // Anyone can send money and write a subject; whom the owner paid, and how much, the bank knows.
    get_most_recent_transactions: {
      trust: { values: ["*.id", "*.recipient", "*.amount", "*.date", "*.recurring"] },
    },
    send_money: { effect: "egress", critical: ["recipient"] },
    schedule_transaction: { effect: "egress", critical: ["recipient"] },
    update_scheduled_transaction: { critical: ["id", "recipient"] },
    // slack
    get_channels: NAMES,
    get_users_in_channel: NAMES,
    read_channel_messages: MESSAGES,
    read_inbox: MESSAGES,
    send_direct_message: { effect: "egress", critical: ["recipient"] },
    send_channel_message: { effect: "egress", critical: ["channel"] },
    // Lets people read what they could not.
    add_user_to_channel: OUTWARD,
    invite_user_to_slack: OUTWARD,
    remove_user_from_slack: DESTROYS,
    get_webpage: OUTWARD,
    post_webpage: { effect: "egress", critical: ["url"] },
    // mail
    get_unread_emails: MAIL,
    get_received_emails: MAIL,
    search_emails: MAIL,
    get_draft_emails: OWN,
    get_sent_emails: { trust: { values: ["*.id_", "*.timestamp", "*.recipients.*", "*.cc.*", "*.bcc.*"] } },
    search_contacts_by_name: CONTACTS,
    search_contacts_by_email: CONTACTS,
    send_email: { effect: "egress", critical: ["recipients", "cc", "bcc", "attachments"] },
    delete_email: DESTROYS,
    // calendar
    get_current_day: OWN,
    search_calendar_events: EVENTS,
    get_day_calendar_events: EVENTS,
    create_calendar_event: {
      effect: "egress",
      critical: ["title", "start_time", "participants", "location"],
    },
    cancel_calendar_event: DESTROYS,
    reschedule_calendar_event: { effect: "egress", critical: ["event_id", "new_start_time"] },
    add_calendar_event_participants: OUTWARD,
    // files
    list_files: FILES,
    search_files: FILES,
    search_files_by_filename: FILES,
    get_file_by_id: FILE,
    create_file: { critical: ["filename"] },
    append_to_file: { critical: ["file_id"] },
    share_file: OUTWARD,
    delete_file: DESTROYS,
    // travel: a directory's facts are its own, reviews are not
    get_user_information: OWN,
    get_all_hotels_in_city: OWN,
    get_hotels_prices: OWN,
    get_hotels_address: OWN,
    get_all_restaurants_in_city: OWN,
    get_restaurants_address: OWN,
    get_cuisine_type_for_restaurants: OWN,
    get_dietary_restrictions_for_all_restaurants: OWN,
    get_contact_information_for_restaurants: OWN,
    get_price_for_restaurants: OWN,
    check_restaurant_opening_hours: OWN,
    get_all_car_rental_companies_in_city: OWN,
    get_car_types_available: OWN,
    get_car_fuel_options: OWN,
    get_car_rental_address: OWN,
    get_car_price_per_day: OWN,
    get_flight_information: OWN,
    reserve_hotel: OUTWARD,
    reserve_restaurant: OUTWARD,
    reserve_car_rental: OUTWARD,
  }),
);
