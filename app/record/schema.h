/* app/record/schema.h - the ids of the schemas. */
#ifndef APP_SCHEMA_H
#define APP_SCHEMA_H

#define APP_RECORD_SCHEMA "spherescope-results-2"
#define APP_RECORD_SCHEMA_OLD "spherescope-results-1" /* which is still read */

#endif
