/** Domains of countries and regions. */
const COUNTRIES = `ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca
cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr
ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm
jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq
mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa
re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn
to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt zm zw`;

/** Names that lead somewhere without the public list: wallets, hidden services. */
const OTHERS = "eth onion i2p";

/** Generic ones, as the public suffix list has them, less those that only their owner may use and code is full of. */
const GENERIC = `aaa aarp abarth abb abbott abbvie abc abogado abudhabi academy accenture accountant accountants aco actor ads
adult aeg aero aetna afl africa agakhan agency aig airbus airforce airtel akdn alfaromeo alibaba alipay
allfinanz allstate ally alsace alstom amazon americanexpress americanfamily amex amfam amica amsterdam analytics
android anquan anz aol apartments app apple aquarelle arab aramco archi army arpa art arte asda asia associates
athleta attorney auction audi audible audio auspost auto autos avianca aws axa azure baby baidu banamex
bananarepublic band bank bar barcelona barclaycard barclays barefoot bargains baseball basketball bauhaus bayern
bbc bbt bbva bcg bcn beats beauty beer bentley berlin best bestbuy bet bharti bible bid bike bing bingo bio biz
black blackfriday blockbuster blog bloomberg blue bms bmw bnpparibas boats boehringer bofa bom bond boo booking
bosch bostik boston boutique box bradesco bridgestone broadway broker brother brussels build builders business
buzz bzh cab cafe cal calvinklein cam camera camp canon capetown capital capitalone car caravan cards care
career careers cars casa case cash casino cat catering catholic cba cbn cbre cbs center ceo cern cfa cfd chanel
channel charity chase chat cheap chintai christmas chrome church cipriani cisco citadel citi citic city cityeats
claims cleaning click clinic clinique clothing cloud club clubmed coach codes coffee college cologne com comcast
commbank community company compare computer comsec condos construction consulting contact contractors cooking
cookingchannel cool coop corsica country coupon coupons courses cpa credit creditcard creditunion cricket crown
crs cruise cruises cuisinella cymru cyou dabur dad dance date dating datsun day dclk dds deal dealer deals
degree delivery dell deloitte delta democrat dental dentist desi design dev dhl diamonds diet digital direct
directory discount discover dish diy docs doctor dog domains download dtv dubai dunlop dupont durban dvag dvr
earth eat eco edeka edu education email emerck energy engineer engineering enterprises epson equipment ericsson
erni esq estate etisalat eurovision eus events example exchange expert exposed express extraspace fage fail
fairwinds faith family fan fans farm farmers fashion fedex feedback ferrari ferrero fiat fidelity fido film
final finance financial fire firestone firmdale fish fishing fit fitness flickr flights flir florist flowers fly
foo food foodnetwork football ford forex forsale forum foundation fox free fresenius frl frogans frontdoor
frontier ftr fujitsu fun fund furniture futbol fyi gal gallery gallo gallup game games gap garden gay gbiz gdn
gea gent genting george ggee gift gifts gives giving glass gle global globo gmail gmbh gmo gmx godaddy gold
goldpoint golf goodyear goog google gop gov grainger graphics gratis green gripe grocery group guardian gucci
guge guide guitars guru hair hamburg hangout haus hbo hdfc hdfcbank health healthcare help helsinki hermes hgtv
hiphop hisamitsu hitachi hiv hkt hockey holdings holiday homedepot homegoods homes homesense honda horse
hospital host hosting hot hoteles hotels hotmail house how hsbc hughes hyatt hyundai ibm icbc ice icu ieee ifm
ikano imamat imdb immo immobilien inc industries infiniti info ing ink institute insurance insure int
international intuit investments ipiranga irish ismaili ist istanbul itau itv jaguar jcb jeep jetzt jewelry jio
jll jmp jnj jobs joburg jpmorgan jprs juegos juniper kaufen kddi kerryhotels kerrylogistics kerryproperties kfh
kia kids kim kinder kindle kitchen kiwi koeln komatsu kosher kpmg kpn krd kred kuokgroup kyoto lacaixa
lamborghini lamer lancaster lancia land landrover lanxess lasalle lat latino latrobe law lawyer lds lease
leclerc lefrak legal lego lexus lgbt lidl life lifeinsurance lifestyle lighting lilly limited limo lincoln linde
link lipsy live living llc llp loan loans locker locus lol london lotte lotto love lpl lplfinancial ltd ltda
lundbeck luxe luxury macys madrid maif maison makeup man management mango market marketing markets marriott
marshalls maserati mattel mba mckinsey med media meet melbourne meme memorial men menu merckmsd miami microsoft
mil mini mint mit mitsubishi mlb mls mma mobi mobile moda moe mom monash money monster mormon mortgage moscow
moto motorcycles mov movie msd mtn mtr museum music mutual nab nagoya name natura navy nba nec net netbank
netflix network neustar new news nextdirect nexus nfl ngo nhk nico nike nikon ninja nissan nissay nokia
northwesternmutual norton nowruz nowtv nra nrw ntt nyc obi observer okinawa olayan olayangroup oldnavy ollo
omega one ong onion onl online ooo oracle orange org organic osaka otsuka ott ovh page panasonic paris pars
partners parts party passagens pay pccw pet pfizer pharmacy phd philips phone photo photography photos physio
pics pictet pictures pid ping pink pioneer pizza place playstation plumbing plus pnc pohl poker politie porn
post pramerica praxi press pro prod productions prof progressive promo properties property protection pru
prudential pub pwc qpon quebec quest racing radio realestate realtor realty recipes red redstone redumbrella
rehab reise reisen reit reliance ren rent rentals repair report republican rest restaurant review reviews
rexroth rich richardli ricoh ril rio rip rocher rocks rodeo rogers rsvp rugby ruhr run rwe ryukyu saarland
safety sakura sale salon samsclub samsung sandvik sandvikcoromant sanofi sap sarl sas saxo sbi sbs sca scb
schaeffler schmidt scholarships school schule schwarz science scot seat security seek sener services seven sew
sex sexy sfr shangrila sharp shaw shell shia shiksha shoes shop shopping shouji show showtime sina singles site
ski skin sky sling smart sncf soccer social softbank software sohu solar solutions song sony soy spa space sport
srl stada staples star statebank statefarm stc stcgroup stockholm storage store stream studio study style sucks
supplies supply support surf surgery suzuki swatch swiss sydney systems tab taipei taobao target tatamotors
tatar tattoo tax taxi tci tdk team tech technology tel temasek tennis teva thd theater theatre tiaa tickets
tienda tiffany tips tires tirol tjmaxx tjx tkmaxx tmall today tokyo tools top toray toshiba total tours town
toyota toys trade trading training travel travelchannel travelers travelersinsurance trust trv tube tui tushu
tvs ubank ubs unicom university uno uol ups vacations vana vanguard vegas ventures verisign versicherung vet
viajes video vig viking villas vin vip virgin visa vision viva vivo vlaanderen vodka volkswagen volvo vote
voting voto voyage vuelos wales walmart walter wang wanggou watch watches weather weatherchannel webcam weber
website wedding weibo weir whoswho wien wiki williamhill win wine winners wme wolterskluwer woodside work works
world wtc wtf xbox xerox xfinity xihuan xin xxx xyz yachts yahoo yamaxun yandex yodobashi yoga yokohama youtube
yun zappos zara zip zone zuerich`;

/** In other scripts. */
const OTHER_SCRIPTS = `vermögensberater vermögensberatung ελ ευ бг бел дети ею католик ком мкд мон москва онлайн орг рус рф
сайт срб укр қаз հայ ישראל קום ابوظبي اتصالات ارامكو الاردن البحرين الجزائر السعودية السعوديه
السعودیة السعودیۃ العليان المغرب اليمن امارات ايران ایران بارت بازار بيتك بھارت تونس سودان سوريا
سورية شبكة عراق عرب عمان فلسطين قطر كاثوليك كوم مصر مليسيا موريتانيا موقع همراه پاكستان پاکستان ڀارت
कॉम नेट भारत भारतम् भारोत संगठन বাংলা ভারত ভাৰত ਭਾਰਤ ભારત ଭାରତ இந்தியா இலங்கை சிங்கப்பூர் భారత్ ಭಾರತ
ഭാരതം ලංකා คอม ไทย ລາວ გე みんな アマゾン クラウド グーグル コム ストア セール ファッション ポイント 世界 中信 中国 中國 中文网 亚马逊 企业 佛山 信息 健康
八卦 公司 公益 台湾 台灣 商城 商店 商标 嘉里 嘉里大酒店 在线 大拿 天主教 娱乐 家電 广东 微博 慈善 我爱你 手机 招聘 政务 政府 新加坡 新闻 时尚 書籍 机构 淡马锡 游戏 澳門
澳门 点看 移动 组织机构 网址 网店 网站 网络 联通 臺灣 谷歌 购物 通販 集团 電訊盈科 飞利浦 食品 餐厅 香格里拉 香港 닷넷 닷컴 삼성 한국`;

const DOMAINS: ReadonlySet<string> = new Set(
  `${COUNTRIES} ${GENERIC} ${OTHER_SCRIPTS} ${OTHERS}`.split(/\s+/),
);

/** True if a host name can end in this lower-case label. */
export function isTopLevelDomain(label: string): boolean {
  return DOMAINS.has(label) || label.startsWith("xn--");
}
