/** What a person says a tool does: `either` where both could be defended, such as a password that is only made up. */
export type AuditedEffect = "read" | "effect" | "either";

/** By toolkit: the tools that only read, whatever they are given; judged from their names and returns, not by running them. */
const READS: Readonly<Record<string, string>> = {
  Gmail: "SearchEmails ReadEmail SearchContacts DownloadAttachment",
  GoogleCalendar: "ReadEvents SearchEvents GetEventsFromSharedCalendar",
  BankManager: "GetAccountInformation SearchPayee SearchTransactions",
  Amazon:
    "SearchProducts GetProductDetails ViewCart SearchOrderHistory ViewOrderDetails ViewSavedAddresses ViewSavedPaymentMethods",
  Expedia: "SearchFlights GetFlightDetails SearchAccommodations SearchReservations RetrieveSavedInformation",
  TwitterManager: "SearchTweets ReadTweet GetUserProfile",
  GoogleHome: "SearchDevices ListDeviceActions ListReminders",
  Dropbox: "ListFilesAndFolders SearchItems GetItemMetadata",
  Teladoc: "SearchDoctors AccessUserInfo AccessMedicalHistory ViewPrescriptions ViewReviews",
  FacebookManager: "GetUserProfile SearchFriends SearchPosts GetPost GetMessages",
  Todoist: "SearchTasks",
  Venmo: "CheckBalance SearchTransactions ViewFriendsList SearchUsers ListLinkedAccounts",
  DeepfakeGenerator: "VerifyDeepfake",
  The23andMe: "GetGeneticData GetHealthRecommendations GetGeneticInsights ListThirdPartyApps DownloadData",
  GoogleSearch: "WebSearch ImageSearch VideoSearch NewsSearch GetSearchTrends GetSearchHistory",
  WebBrowser: "NavigateTo RetrieveElements GetElementsDetails SearchHistory",
  NortonIdentitySafe: "CheckPasswordStrength SearchPasswords RetrievePersonalInfo",
  AugustSmartLock: "CheckLockStatus SearchGuests ViewAccessHistory",
  IFTTT: "SearchConnectedServices SearchTriggers SearchActions SearchApplets",
  EvernoteManager: "ReadNote ReadNotebook SearchNotes SearchNotebooks",
  Slack: "SearchMessage SearchChannelOrUser GetUserDetails",
  Twilio: "GetSmsHistory GetReceivedSmsMessages GetSmsPricing GetPhoneNumberInfo GetScheduledActions",
  GoogleMap:
    "GetCurrentLocation SearchLocations GetLocationDetails GetDirections Geocoding ReverseGeocoding GetLocationReviews SearchAddressBook",
  IndoorRobot: "GetCurrentState ListRooms FindObjects LookAroundObject GetAllowedOperations FindPeople",
  EmergencyDispatchSystem:
    "EstimateDispatchTime FindNearbyResources GetIncidentData GetResourceData SearchIncidents",
  EthereumManager: "EstimateGasCost VerifyMessage QueryEthereumData",
  Binance: "GetAccountBalances RetrieveAccounts GetRealTimePrice GetOrderHistory GetTradeHistory",
  Shopify: "SearchProducts GetProductDetails SearchOrders GetOrderDetails SearchCustomers GetStoreAnalytics",
  FedExShipManager: "GetQuote GetShipmentDetails SearchShipment SearchSavedAddresses",
  InventoryManagementSystem: "SearchItems GetItemDetails SearchSuppliers ListCategories",
  CiscoUmbrella:
    "VerifyDomain SearchThreats GetThreatDetails SearchPolicy GetPolicyDetails SearchLogs GetLogDetails",
  GitHub: "SearchRepositories GetRepositoryDetails SearchIssues ReadIssue SearchUsers GetUserDetails",
  Spokeo:
    "SearchPeople GetPersonDetails BackgroundCheck VerifyIdentity GetHistoricalData AccessCourtRecords GetCriminalHistory ReversePhoneLookup",
  EpicFHIR: "SearchPatients GetPatientDetails SearchDoctors DownloadFiles",
  TrafficControl:
    "SearchLocations GetRoadDetails GetIntersectionDetails SearchRoute CheckTrafficLightsStates MonitorTrafficCongestion PredictTrafficCongestion AnalyzeTrafficPatterns",
  TDAmeritrade: "GetHoldingsInformation GetBalance GetStockInformation",
  InvestmentManager: "GetHoldingsInformation ListTransactions SearchInvestments",
  Terminal: "",
};

/** Those of which a reasonable reader may say that they read, or that they leave something behind. */
const EITHER: Readonly<Record<string, string>> = {
  BankManager: "GetAccountStatement",
  CiscoUmbrella: "GenerateReport",
  Dropbox: "DownloadFile",
  EthereumManager: "CompileSolidity",
  GoogleHome: "AskQuestion",
  InventoryManagementSystem: "TrackInventory",
  NortonIdentitySafe: "GeneratePassword",
  Slack: "DownloadFile",
};

/** Everything of a known toolkit that is in neither list has an effect; of an unknown one nothing is known. */
export function auditedEffect(toolkit: string, name: string): AuditedEffect | undefined {
  const own = name.startsWith(toolkit) ? name.slice(toolkit.length) : name;
  if (!Object.hasOwn(READS, toolkit)) return undefined;
  if (READS[toolkit]?.split(" ").includes(own) === true) return "read";
  return EITHER[toolkit]?.split(" ").includes(own) === true ? "either" : "effect";
}
