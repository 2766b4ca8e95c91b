import type { Intents } from "./intents.ts";
import type { TradeSpecName } from "./specs.ts";

/**
 * Four for each of ten services of trades that no other set asks about. They were written, before anyone measured them,
 * to find out whether the word lists of those trades help with questions that nobody had made them for.
 */
export const TRADE_INTENTS: Intents<TradeSpecName> = {
  lyft: [
    ["get me a cab to the airport", "POST /rides"],
    ["how long until a car can pick me up", "GET /eta"],
    ["what would it cost to go downtown", "GET /cost"],
    ["I changed my mind, take me to the station instead", "PUT /rides/{}/destination"],
  ],
  bigoven: [
    ["what can I cook with leftover chicken", "GET /recipes", "GET /recipes/top25random"],
    ["put eggs on my shopping list", "POST /grocerylist/item", "POST /grocerylist/line"],
    [
      "give that lasagna five stars",
      "POST /recipe/{}/review",
      "PUT /recipe/review/{}",
      "PUT /recipe/{}/review/{}",
    ],
    ["show dishes like this one", "GET /recipe/{}/related"],
  ],
  netatmo: [
    ["make it 21 degrees in the living room", "POST /setthermpoint"],
    [
      "what's the temperature at home",
      "GET /getthermstate",
      "GET /getthermostatsdata",
      "GET /getstationsdata",
      "GET /getmeasure",
      "GET /gethomecoachsdata",
    ],
    ["we all left the house", "POST /setpersonsaway"],
    [
      "who was at the front door",
      "GET /getcamerapicture",
      "GET /getlasteventof",
      "GET /getnextevents",
      "GET /geteventsuntil",
      "GET /gethomedata",
    ],
  ],
  pocketsmith: [
    [
      "how much did I spend on eating out",
      "GET /categories/{}/transactions",
      "GET /users/{}/transactions",
      "GET /users/{}/trend_analysis",
      "GET /users/{}/budget*",
    ],
    ["am I over budget this month", "GET /users/{}/budget", "GET /users/{}/budget_summary"],
    ["add the receipt to that purchase", "POST /transactions/{}/attachments", "POST /users/{}/attachments"],
    ["which banks am I with", "GET /users/{}/institutions"],
  ],
  twinehealth: [
    ["book a visit with the dietitian", "POST /calendar_event"],
    [
      "what's Mr. Miller's blood pressure",
      "GET /patient_health_metric",
      "GET /patient_health_metric/{}",
      "GET /result",
      "GET /result/{}",
    ],
    ["register somebody new at the practice", "POST /patient", "PUT /patient"],
    ["who looks after this patient", "GET /patient/{}/coaches"],
  ],
  wordnik: [
    ["what does ubiquitous mean", "GET /word.json/{}/definitions"],
    ["where does the word sandwich come from", "GET /word.json/{}/etymologies"],
    ["how do you say Worcestershire", "GET /word.json/{}/pronunciations", "GET /word.json/{}/audio"],
    ["another word for happy", "GET /word.json/{}/relatedWords"],
  ],
  clicksend: [
    ["text everybody that we are closed tomorrow", "POST /sms/send", "POST /sms-campaigns/send"],
    ["fax the contract to the lawyer", "POST /fax/send"],
    ["mail a postcard to grandma", "POST /post/postcards/send"],
    ["ring them up with a recorded message", "POST /voice/send"],
  ],
  meteosource: [
    ["do I need an umbrella today", "GET /point"],
    ["how bad is the smog", "GET /air_quality"],
    ["was it warm here on my birthday last year", "GET /time_machine"],
    ["which town is closest to these coordinates", "GET /nearest_place"],
  ],
  edrv: [
    ["how full is the car", "GET /v1/vehicles/{}/battery", "GET /v1/vehicles/{}/charge"],
    ["plug 3 is jammed, let the cable go", "POST /v1/commands/unlockconnector"],
    ["hold a charger for me at six", "POST /v1/commands/reserve"],
    ["how far has the van been driven", "GET /v1/vehicles/{}/odometer"],
  ],
  rentcast: [
    ["what is my house worth", "GET /avm/value"],
    ["flats to let in Austin", "GET /listings/rental/long-term"],
    ["homes for sale near me", "GET /listings/sale"],
    ["how much could I charge a tenant", "GET /avm/rent/long-term"],
  ],
};
