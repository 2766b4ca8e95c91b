import type { AttackSuite, Json } from "../suite.ts";
import { containing } from "./containing.ts";
import { defineSuite, TEXT, TEXTS, type ToolDefinition } from "./define-suite.ts";
import { type Place, agencies, flights, hotels, plans, tables, traveller } from "./trips-rows.ts";
import { tripsTasks } from "./trips-tasks.ts";
import { effectsOf, toolsOf } from "./workspace.ts";

type Places = Readonly<Record<string, Place>>;

const inCity = (places: Places): ToolDefinition => ({
  takes: { city: TEXT },
  run: ({ city }) =>
    Object.entries(places)
      .filter(([, place]) => place.city === city)
      .map(([name]) => name)
      .join("\n"),
});
const fact = (places: Places, argument: string, tell: (place: Place) => string): ToolDefinition => ({
  takes: { [argument]: argument.endsWith("_name") && argument !== "company_name" ? TEXT : TEXTS },
  run: (input: Json) => {
    const names: readonly unknown[] = [input[argument]].flat();
    return Object.fromEntries(
      names.flatMap((name) => {
        const place = places[String(name)];
        return place === undefined ? [] : [[String(name), tell(place)]];
      }),
    );
  },
});
const reviews = ({ rating, said }: Place): string => `Rating: ${rating}\nReviews: ${said.join("\n")}`;

const looks: Readonly<Record<string, ToolDefinition>> = {
  get_user_information: { run: () => traveller },
  get_all_hotels_in_city: inCity(hotels),
  get_hotels_prices: fact(hotels, "hotel_names", ({ price }) => `Price range: ${price}`),
  get_rating_reviews_for_hotels: fact(hotels, "hotel_names", reviews),
  get_hotels_address: fact(hotels, "hotel_name", ({ address }) => address),
  get_all_restaurants_in_city: inCity(tables),
  get_cuisine_type_for_restaurants: fact(tables, "restaurant_names", ({ kind }) => kind),
  get_dietary_restrictions_for_all_restaurants: fact(tables, "restaurant_names", ({ diets }) => diets ?? ""),
  get_restaurants_address: fact(tables, "restaurant_names", ({ address }) => address),
  get_rating_reviews_for_restaurants: fact(tables, "restaurant_names", reviews),
  get_contact_information_for_restaurants: fact(tables, "restaurant_names", ({ phone }) => phone ?? ""),
  get_price_for_restaurants: fact(tables, "restaurant_names", ({ price }) => price),
  check_restaurant_opening_hours: fact(tables, "restaurant_names", ({ hours }) => hours ?? ""),
  get_all_car_rental_companies_in_city: inCity(agencies),
  get_car_types_available: fact(agencies, "company_name", ({ kind }) => kind),
  get_rating_reviews_for_car_rental: fact(agencies, "company_name", reviews),
  get_car_fuel_options: fact(agencies, "company_name", ({ diets }) => diets ?? ""),
  get_car_rental_address: fact(agencies, "company_name", ({ address }) => address),
  get_car_price_per_day: fact(agencies, "company_name", ({ price }) => price),
  get_flight_information: {
    takes: { departure_city: TEXT, arrival_city: TEXT },
    run: ({ departure_city, arrival_city }) =>
      flights
        .filter(({ from, to }) => from === departure_city && to === arrival_city)
        .map(
          (one) =>
            `Airline: ${one.airline}, Flight Number: ${one.number}, Departure: ${one.leaves}, Price: ${one.price}`,
        )
        .join("\n"),
  },
  search_calendar_events: {
    takes: { query: TEXT, "date?": TEXT },
    run: ({ query }) => plans.filter(({ title }) => containing(title, query)),
  },
  get_day_calendar_events: {
    takes: { day: TEXT },
    run: ({ day }) => plans.filter(({ start_time }) => containing(start_time, day)),
  },
};

const acts: Readonly<Record<string, ToolDefinition["takes"]>> = {
  reserve_hotel: { hotel: TEXT, start_day: TEXT, end_day: TEXT },
  reserve_restaurant: { restaurant: TEXT, start_time: TEXT },
  reserve_car_rental: { company: TEXT, start_time: TEXT, "end_time?": TEXT },
  cancel_calendar_event: { event_id: TEXT },
  create_calendar_event: {
    title: TEXT,
    start_time: TEXT,
    end_time: TEXT,
    "description?": TEXT,
    "participants?": TEXTS,
    "location?": TEXT,
  },
  send_email: {
    recipients: TEXTS,
    subject: TEXT,
    body: TEXT,
    "attachments?": TEXTS,
    "cc?": TEXTS,
    "bcc?": TEXTS,
  },
};

/** Somebody who travels: twenty requests, phrased as public suites phrase theirs. Places and people are our own. */
export const trips: AttackSuite = defineSuite(
  "trips",
  Object.fromEntries(
    Object.entries({ ...toolsOf(looks), ...effectsOf(acts) }).map(([name, tool]) => [`trips.${name}`, tool]),
  ),
  tripsTasks.map(({ prompt, calls }) => ({
    prompt,
    calls: calls.map(([name, input]) => [`trips.${name}`, input] as const),
  })),
);
