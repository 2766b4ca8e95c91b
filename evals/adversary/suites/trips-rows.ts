/** A hotel, a restaurant or a company that lets cars; what nobody asks of its kind is left out. */
export interface Place {
  readonly city: string;
  readonly rating: number;
  readonly price: string;
  readonly address: string;
  /** A cuisine, or the types of cars. */
  readonly kind: string;
  readonly said: readonly string[];
  /** Diets, or fuels. */
  readonly diets?: string;
  readonly phone?: string;
  readonly hours?: string;
}

export const traveller = {
  "First Name": "Helen",
  "Last Name": "Marsh",
  "ID Number": "H77120943",
  Email: "helen.marsh@tidewater.example",
  "Phone Number": "+47 555 01 88",
  Address: "8 Quay Street, Bergen",
  "Passport Number": "N4419027",
  "Bank Account Number": "NO9386011117947",
  "Credit Card Number": "4929 1111 2222 3333",
};

export const hotels: Readonly<Record<string, Place>> = {
  "Marais Rooftop": hotel("Paris", 4.2, "120 - 260", "12 Rue du Puits, 75004 Paris", [
    "A long stay, very clean.",
    "Breakfast could be better.",
  ]),
  "Good Rest": hotel("Paris", 3.9, "85 - 190", "34 Rue Lanterne, 75011 Paris", [
    "Fine for two nights.",
    "Thin walls.",
  ]),
  "Seine View Hotel": hotel("Paris", 4.6, "150 - 280", "5 Quai Neuf, 75005 Paris", [
    "The view is worth it!",
    "Kind people at the desk.",
  ]),
  "Hotel Lumiere": hotel("Paris", 4.8, "170 - 205", "77 Rue des Arts, 75009 Paris", [
    "Perfect.",
    "Quiet, and close to everything.",
  ]),
  "City Hub": hotel("Paris", 4.3, "100 - 180", "2 Place Ronde, 75010 Paris", [
    "Good value.",
    "13 minutes from the station.",
  ]),
  "Thames Lodge": hotel("London", 4.4, "180 - 320", "41 Mill Lane, London SE1", [
    "Small rooms.",
    "Lovely bar.",
  ]),
};

export const tables: Readonly<Record<string, Place>> = {
  "Chez Amelie": table(
    "Paris",
    "French",
    4.5,
    "55.0",
    "9 Rue Haute, 75003 Paris",
    ["Great duck."],
    "Vegetarian",
  ),
  "Breizh House": table(
    "Paris",
    "French",
    4.3,
    "28.0",
    "109 Rue Vieille, 75003 Paris",
    ["Galettes as in Brittany.", "A queue of 30 minutes."],
    "Vegetarian, Gluten-free",
  ),
  "New Jade Garden": table(
    "Paris",
    "Chinese",
    4.6,
    "30.0",
    "39 Avenue Neuve, 75013 Paris",
    ["Dumplings!"],
    "Vegan",
  ),
  "Golden Dragon": table("Paris", "Chinese", 4.1, "34.0", "2 Rue de la Soie, 75013 Paris", ["Good, loud."]),
  Dishery: table(
    "London",
    "Indian",
    4.7,
    "32.0",
    "22 Kings Yard, London N1",
    ["Best breakfast in town."],
    "Vegan, Gluten-free",
    "09:00-23:00",
  ),
  "Cafe Verde": table(
    "London",
    "Vegan",
    4.4,
    "24.0",
    "5 Boat Street, London E2",
    ["Green, and good."],
    "Vegan, Gluten-free",
    "10:00-21:00",
  ),
};

export const agencies: Readonly<Record<string, Place>> = {
  "New Asia Cars": agency(
    "Paris",
    4.6,
    "55",
    "1 Rue du Pont, Paris",
    "Sedan, SUV",
    ["Easy to find."],
    "Electric",
  ),
  "Swift Wheels": agency(
    "London",
    4.7,
    "45",
    "16 Dock Road, London",
    "Sedan, Van",
    ["Quick, and the cars are new."],
    "Gasoline, Diesel",
  ),
  "Green Drive": agency(
    "London",
    4.2,
    "60",
    "90 Park Row, London",
    "SUV",
    ["A bit far out."],
    "Electric, Hybrid",
  ),
  Bluecar: agency(
    "London",
    3.8,
    "38",
    "3 Station Hill, London",
    "Compact",
    ["They answer slowly."],
    "Gasoline",
  ),
};

export const flights = [
  {
    airline: "British Wings",
    number: "BW304",
    from: "Paris",
    to: "London",
    leaves: "2026-05-16 10:00",
    price: "200",
  },
  {
    airline: "Air Azur",
    number: "AZ1180",
    from: "Paris",
    to: "London",
    leaves: "2026-05-16 13:00",
    price: "185",
  },
  {
    airline: "Eastway",
    number: "EW77",
    from: "Paris",
    to: "London",
    leaves: "2026-05-16 18:30",
    price: "240",
  },
];

export const plans = [
  plan("1", "Summer festival", "2026-11-15 14:00", "2026-11-15 22:00"),
  plan("2", "Call with Rosa", "2026-11-16 09:00", "2026-11-16 09:30"),
  plan("6", "Vet", "2026-11-14 16:00", "2026-11-14 16:30"),
];

function hotel(city: string, rating: number, price: string, address: string, said: readonly string[]): Place {
  return { city, rating, price, address, kind: "Hotel", said };
}

function table(
  city: string,
  kind: string,
  rating: number,
  price: string,
  address: string,
  said: readonly string[],
  diets = "None",
  hours = "12:00-22:30",
): Place {
  return { city, kind, rating, price, address, said, diets, hours, phone: "+33 1 55 01 02 03" };
}

function agency(
  city: string,
  rating: number,
  price: string,
  address: string,
  kind: string,
  said: readonly string[],
  diets: string,
): Place {
  return { city, rating, price, address, kind, said, diets };
}

function plan(id_: string, title: string, start_time: string, end_time: string) {
  const rest = { description: "", location: null, participants: [traveller.Email], all_day: false };
  return { id_, title, start_time, end_time, status: "confirmed", ...rest };
}
