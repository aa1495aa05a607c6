/* app/results/prometheus.h - results records as metrics for Prometheus. */
#ifndef APP_PROMETHEUS_H
#define APP_PROMETHEUS_H

/* Formats a record, given as JSON text, in Prometheus's text format 0.0.4, as node_exporter's
 * textfile collector reads it: gauges in base units (seconds, bytes), whose labels are the members
 * that identify a result. The caller frees the text; NULL when memory is full. */
char *app_prometheus_text(const char *record);

#endif
