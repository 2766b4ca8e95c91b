/** What people say of papers and files, and what drives, wikis, signing and writing services call it. */
export const FILES_AND_TEXTS = `
agreement: contract document envelope
article: post page story
autograph: signature
back up: backup snapshot export
backup: snapshot export
backups: snapshot export
bin: trash deleted
blog post: post article
book: volume
booklet: document
by accident: restore undo
chapter: section
contract: agreement document envelope file
counter sign: signature recipient
copy: duplicate
deck: presentation slide
deleted files: trash
document: file page envelope
documents: file page envelope
e sign: signature envelope
essay: document submission
fill in: form submission
filled in: form submission response
filled out: form submission response
flyer: document
form: submission survey
from the bin: trash restore
from the trash: trash restore
get it back: restore trash recover version
handout: document material
headline: title
heading: title
hyperlink: link
keep for: retention
lately: recent
latest: recent last
leaflet: document
lease: contract agreement document
light: brightness
lock: lock protect
lost: missing
manual: document
manuscript: document
memo: note
merge field: field template
move into: move parent folder
my files: file item
nda: agreement document envelope
note: page
notes: page
old version: version revision
open lately: recent
opened lately: recent
pages: document
paper: document file
papers: document file
paperwork: document file form
paragraph: block text
password protect: password protection link
pdf: document file download
peek: preview thumbnail
print: pdf export label
public link: shared link
read only: permission viewer
recently: recent
recycle bin: trash
remove the background: background
report: document
roll back: restore revert rollback version promote
scan: document ocr
search for: search query
send for signature: envelope signature request
share: shared collaboration permission link invite
shareable: shared link
shareable link: shared link share
share link: shared link share
shared link: shared link
sheet: spreadsheet workbook
sign: signature envelope signer
signed: signature envelope complete status
signer: recipient signature
signers: recipient signature
signing: signature envelope
spelling: grammar check
summary: abstract
survey: form response
taken back: version restore
template: layout
terms: agreement policy
thumbnail: preview
to sign: signature envelope recipient sign
trash can: trash
translate: translation
translation: language
typo: edit correct
unlock: lock
version: revision history
watermark: stamp
what did people enter: submission response form
what did people write: response submission comment
who opened: view activity
who saw: view activity event
who signed: recipient signature
word count: count
zip: archive compress
add a page: page create
ask for a file: file request
ask for signature: signature envelope request
caption: description subtitle
change history: version revision history
draft: unpublished
fill out: form submit
from a template: template create
go public: publish
hand written: handwriting
how many pages: page count
make a copy: copy duplicate
make it public: publish visibility share
page title: title page
put online: publish
put on the site: publish page post
read the text: ocr text extract
remind to sign: reminder resend signature
resend: resend send
responses: response submission answer
save as: export copy
sign request: signature request envelope
survey results: response survey report
take offline: unpublish
take back the envelope: void envelope
text in the picture: ocr text vision
translate into: translation translate
unpublish: draft
upload: create file
who has access: permission collaborator collaboration access
who can see: permission collaborator collaboration access
write up: document note`;
