/** What people say of money, and what banks, payment services and bookkeeping call it. */
export const MONEY = `
accountant: bookkeeping accounting
afford: balance budget
atm: cash withdrawal
bankrupt: insolvency
bank details: bank account iban
bank: institution account
bankers: institution
bitcoin: crypto currency wallet
bonus: payroll reward
books: journal ledger accounting
bookkeeping: journal ledger accounting
borrow: loan credit
bought: purchase transaction order
broke: balance
bucks: amount money
budget: category limit
cash back: cashback reward
cash flow: cashflow bank summary
cashier: pos terminal payment
chargeback: dispute
charged twice: dispute refund charge
cheque: check payment
coin: crypto currency
cost centre: department category tracking
costs: price rate cost estimate
credit line: credit limit
credit score: credit report
creditor: supplier payable
crypto: currency wallet
currency rate: exchange rate
debit: withdrawal charge
debtor: customer receivable
deposit: payment topup fund
direct debit: mandate debit
dividend: investment transaction
donate: donation payment
donation: contribution gift
dunning: reminder invoice overdue
earn: income revenue payroll
earned: income revenue profit
exchange rate: rate currency conversion
expenses: expense transaction claim receipt
expense claim: expense claim
fraud: dispute risk signal
fund: balance holding investment
gift card: gift card voucher
give back: refund return
give money back: refund
gross: revenue income
holdings: investment security position
how rich: balance holding
iban: account bank
income: revenue payroll earning
in the red: balance overdraft
instalment: payment plan
instalments: payment plan
insurance: policy coverage insurance
interest: rate
invest: investment holding
invoice reminder: invoice reminder email
late payers: overdue aged receivable
ledger: journal account
lend: loan
loan: credit liability mortgage
make money: revenue profit income
merchant: payee seller
money: balance amount funds payment
money order: transfer payment
mortgage: loan liability
net worth: balance asset
open bills: unpaid invoice payable
outstanding: unpaid overdue due
overdraft: balance
overdue: invoice due aged receivable
owe us: receivable aged invoice balance
owes us: receivable aged invoice balance
owe: balance payable receivable invoice liability
own: holding asset account
paid out: payout
pay for: payment purchase
pay in: deposit
pay rise: salary compensation wage
paycheque: payroll payslip
payslip: payroll paystub
payday: payroll
pension: retirement
petty cash: cash
pocket money: allowance
points: loyalty reward
portfolio: holding investment position
price: cost rate quote pricing
profit: loss income revenue
profitable: profit loss
purse: wallet
quote: estimate quotation offer
reimburse: refund expense
reimbursement: expense claim refund
reminder letter: reminder invoice
rent: lease rental payment
revenue: sales income profit
rewards: loyalty reward point
salary: payroll wage compensation
save up: saver savings goal
savings: account saver balance
sell shares: order trade sell
send money: transfer payment payout
share: stock security equity
share price: quote stock price
shares: stock security holding
spend: transaction expense purchase
spending: transaction expense category
stocks: holding security investment ticker inventory
stock market: quote exchange market
stock price: quote price ticker
subscription: recurring plan
subscriptions: recurring plan
take payment: charge checkout payment
takings: sales revenue payment
tax: vat rate gst
tax return: tax report
tip: gratuity
top up: topup fund credit add
trade: order position
trades: order position transaction
transfer: payment payout wire
turnover: revenue sales
vat: tax
wage: payroll salary compensation
wages: payroll wage compensation
wire: transfer payment
wire money: transfer payment payout
withdraw: payout withdrawal transfer
worth: value balance price quote
account statement: statement transaction
block my card: card block freeze
bid: auction offer
bids: auction offer
buy shares: order buy trade
cancel my plan: subscription cancel
card stolen: card block freeze lost
lost my card: card block freeze lost
claim: insurance expense
cashed: payout
due date: due invoice
exchange: convert rate
fees: fee charge pricing
freeze: block card disable
invoice: bill
last payment: payment transaction
lower plan: downgrade subscription plan
how much have i got: balance account
how much do i have: balance account
how much is left: balance remaining
how much did i spend: transaction spending expense
how much does it cost: price rate pricing estimate
ledger entry: journal
monthly payment: recurring payment subscription
new card: card create issue
pay the bill: bill payment pay
pay back: refund repayment
payment link: checkout link payment
paid yet: payment status invoice
payee: recipient beneficiary counterparty
pots: saver savings pot
raise an invoice: invoice create
receipts: receipt expense
recurring: repeat subscription
regular: recurring
split the bill: split
standing order: recurring scheduled payment schedule
stop paying: cancel subscription
swap money: exchange convert
tab: bill
token: coin crypto
what did i buy: purchase transaction order
what kinds of spending: category
eating out: restaurant food transaction category
what does earn: salary earning compensation payroll
earnings: earning salary revenue payroll`;
