/** What people say of buying, selling and sending goods, and what shops and carriers call it. */
export const SHOPS_AND_PARCELS = `
abandoned: cart checkout
add to basket: cart item line
add to cart: cart item line
allergen: ingredient product
article: product item
available: stock availability inventory
back in stock: inventory restock
bar code: barcode upc ean gtin
barcode: upc ean gtin sku
bargain: discount sale offer
basket: cart
best seller: top product bestseller
best selling: top sale report product
box: package parcel
boxes: package parcel
brand: manufacturer vendor
bundle: product kit
call off: cancel
cancel order: order cancel
carriage: shipping rate
carrier: shipping courier
cart: basket checkout
cashier: register pos
catalogue: catalog product item
checkout: payment order cart
collect: pickup collection
collection: pickup
come and get: pickup
courier: carrier shipment
customs: declaration duty
deliver: delivery shipment fulfillment
delivered: delivery tracking shipment
delivery: shipment fulfillment tracking
delivery address: shipping address
dhl: carrier shipment
discount: coupon promotion price
dispatch: ship shipment fulfillment
exchange: return replace
fedex: carrier shipment
fits: size variant
fragile: package
freight: shipping rate
fulfil: fulfillment shipment
goods: product item inventory
haggle: price offer
handling: shipping
in stock: inventory stock availability quantity
label: shipment postage
left in stock: inventory stock level quantity count
loyalty: reward point program
low on: inventory stock level
made by: manufacturer vendor
merchandise: product item
minimum order: quantity
new price: price update
on sale: discount price promotion
order status: order fulfillment
out of stock: inventory stock level
package: parcel shipment tracking
packages: parcel shipment tracking
packet: parcel shipment package
pallet: shipment package
parcel: shipment package tracking
pick up: pickup collect answer
pickup: collection
pick up point: service point location
postage: shipping label rate
postal: shipping mail
post office: carrier service point
print label: label
product line: category collection
promo: promotion coupon discount
purchase order: purchase order
put on sale: discount price promotion
queue up: order
quantity: stock inventory
recall: return
refund: return reversal
restock: inventory replenish
retailer: merchant store
return: refund rma
returns: refund rma
return label: return label
return policy: return
review: rating comment
reviews: rating comment
seller: merchant vendor
sell: order product listing sale
sells: product sale
send back: return refund
shelf: location inventory
ship: shipment fulfillment label
shipped: shipment fulfillment tracking
shipping cost: shipping rate
shop: store merchant
shopper: customer
sizes: variant option
sku: product variant
sold: order sale
stall: store
stock: inventory quantity level
stocktake: inventory count
storage room: warehouse location
store: shop location
storeroom: warehouse
supplier: vendor purchase
till: register pos terminal cash
tracking number: tracking track shipment
trolley: cart
ups: carrier shipment
usps: carrier shipment
variant: option size
void label: label void
voucher: coupon gift promotion
warehouse: location inventory
warranty: guarantee
what does it cost to send: rate estimate shipping
cost to send: shipping rate estimate
cost to ship: shipping rate estimate
wholesale: price
where is my order: order tracking shipment
where is my parcel: tracking shipment
wishlist: wish favorite list
auction: listing bid
ask for a review: review request
book a pickup: pickup schedule
bought by: order customer
change the price: price update
come back: return
cheapest: price rate
delivery date: delivery estimate
drop off: service point location
for sale: listing product
free shipping: shipping promotion
gone missing: lost claim tracking
has it shipped: shipment fulfillment order tracking
has it arrived: delivery tracking
how many are left: inventory stock quantity
list for sale: listing create
listings: listing product
new customer: customer create
on its way: shipment tracking transit
order again: reorder order
packing slip: packing slip order
pre order: order preorder
put up for sale: listing create product
rma: return
sell out: inventory stock
sold out: inventory stock
stolen: lost
take off the shop: product delete unpublish
what have we sold: order sale report
what did people buy: order sale product
who bought: order customer
who ordered: order customer
raise the price: price product update
lower the price: price product update
shirt: product
shoes: product
came in: receive incoming order inbound`;
